import { expect, test } from 'vitest';
import { agent, outputs, run, useSessions, write } from '../tools/terminal/terminal-agent.js';

useSessions();

const start = (): Worker => new Worker(new URL('./programs.worker.ts', import.meta.url), { type: 'module' });

test('TypeScript checks the types of the project, and writes JavaScript that node runs', async () => {
  const { session } = await agent(
    [
      write('/tsconfig.json', '{ "compilerOptions": { "strict": true } }'),
      write('/a.ts', "const n: number = 'text';\nconsole.log(n);\nexport {};\n"),
      run('npx tsc --noEmit'),
      write('/a.ts', "const n: string = 'text';\nconsole.log(n);\nexport {};\n"),
      run('tsc && node a.js'),
    ],
    { start, options: { timeoutMs: 120_000 } },
  );
  const shown = await outputs(session.send('go'));
  expect(shown[2]).toContain("a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.");
  expect(shown[4]).toBe('text\n (pay attention to this.)');
});
