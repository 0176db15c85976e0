/** Commands that people expect in a shell, by the runtime that has them or that has something in their place. */
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  javascript: ['node', 'npm', 'npx', 'nodejs', 'tsx', 'ts-node', 'yarn', 'pnpm', 'bun', 'deno'],
  python: ['python', 'python3', 'pip', 'pip3', 'pytest'],
  sqlite: ['sqlite3', 'sqlite'],
  git: ['git'],
  typescript: ['tsc'],
};

/** Commands that no runtime has, and what to do instead where the first one is present. */
const INSTEAD: readonly { commands: readonly string[]; present: string; advice: string }[] = [
  {
    commands: ['jest', 'vitest', 'mocha', 'ava', 'tap'],
    present: 'node',
    advice: 'Write tests with node:test and node:assert, and run them with node --test.',
  },
  {
    commands: ['tsc'],
    present: 'node',
    advice:
      'node runs TypeScript files, without checking their types; the application can add typescript() of rolezero/runtimes/typescript.',
  },
  {
    commands: ['yarn', 'pnpm', 'bun', 'deno', 'tsx', 'ts-node'],
    present: 'node',
    advice: 'Use node and npm run.',
  },
  { commands: ['pip', 'pip3'], present: 'python', advice: 'Packages cannot be installed with pip.' },
  { commands: ['pytest'], present: 'python', advice: 'Use python -m unittest.' },
];

/**
 * Appends advice to the error output of a command line: for each command that was not found, which runtime has it and how the application
 * adds it, or what a present runtime has instead.
 */
export function adviseOnMissing(stderr: string, present: readonly string[]): string {
  const missing = new Set(
    [...stderr.matchAll(/^bash: (?:line \d+: )?([\w.-]+): command not found$/gmu)].map(
      ([, name = '']) => name,
    ),
  );
  const advice = [...missing].flatMap((name) => adviceFor(name, present));
  if (advice.length === 0) return stderr;
  return `${stderr}${stderr.endsWith('\n') ? '' : '\n'}${advice.join('\n')}\n`;
}

function adviceFor(name: string, present: readonly string[]): string[] {
  const instead = INSTEAD.find((each) => each.commands.includes(name) && present.includes(each.present));
  if (instead !== undefined) return [`There is no ${name} here. ${instead.advice}`];
  const [runtime] = Object.entries(RUNTIMES).find(([, commands]) => commands.includes(name)) ?? [];
  if (runtime === undefined) return [];
  return [
    `${name} is not part of this terminal. Continue without it. The application can add it: terminal({ runtimes: [${runtime}()] }) with ` +
      `import { ${runtime} } from 'rolezero/runtimes/${runtime}'.`,
  ];
}
