/** Commands that people expect in a shell, by the runtime that has them or that has something in their place. */
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  javascript: ['node', 'npm', 'npx', 'nodejs', 'tsx', 'ts-node', 'yarn', 'pnpm', 'bun', 'deno'],
  python: ['python', 'python3', 'pip', 'pip3', 'pytest'],
  sqlite: ['sqlite3', 'sqlite'],
  git: ['git'],
};

/**
 * Appends advice to the error output of a command line: for each command that was not found, which runtime has it and how the application
 * adds it, or what a present runtime has instead.
 */
export function adviseOnMissing(stderr: string, present: readonly string[]): string {
  const missing = new Set(
    [...stderr.matchAll(/^bash: (?:line \d+: )?([\w.-]+): command not found$/gmu)].map(([, name = '']) => name),
  );
  const advice = [...missing].flatMap((name) => adviceFor(name, present));
  if (advice.length === 0) return stderr;
  return `${stderr}${stderr.endsWith('\n') ? '' : '\n'}${advice.join('\n')}\n`;
}

function adviceFor(name: string, present: readonly string[]): string[] {
  const [runtime, [main = name] = []] =
    Object.entries(RUNTIMES).find(([, commands]) => commands.includes(name)) ?? [];
  if (runtime === undefined) return [];
  if (present.includes(main))
    return [`There is no ${name} here, but ${main}: ${present.join(', ')} are programs of this terminal.`];
  return [
    `${name} is not part of this terminal. Continue without it. The application can add it: terminal({ runtimes: [${runtime}()] }) with ` +
      `import { ${runtime} } from 'rolezero/runtimes/${runtime}'.`,
  ];
}
