import { expect, test } from 'vitest';
import { spawn } from '../../../src/spawn/index.js';
import { commands } from '../../../src/testing/scripted-model.js';
import { modelThatSays } from './scripted-spawn.js';

test('names a shell that cannot be loaded, with a solution', async () => {
  const session = await spawn({
    session: crypto.randomUUID(),
    terminal: { workerUrl: '/no-such-shell.js' },
    model: await modelThatSays(
      commands(['Terminal.run_command', { cmd: 'true' }]),
      commands(['end', {}]),
      'Nothing was done.',
    ),
  });
  const outputs: string[] = [];
  for await (const event of session.send('Do nothing.'))
    if (event.type === 'command-end' && event.name === 'Terminal.run_command') outputs.push(event.output);
  expect(outputs).toEqual([expect.stringContaining('spawn({ terminal: { workerUrl } })')]);
  await session.close();
});
