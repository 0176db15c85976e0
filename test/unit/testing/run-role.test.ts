import { expect, it } from 'vitest';
import * as z from 'zod';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';

const schema = z.object({ due: z.string().transform((text) => new Date(text)) });
const work = commands(['RoleZero.reply_to_human', { content: 'Soon.' }], ['end', {}]);

function run(output: string) {
  const role = new RoleZero({ model: scriptedModel({ think: work, output }) });
  return runRole(role, 'When is it due?', { output: schema });
}

it('gives a typed answer, as the schema of the request outputs it', async () => {
  const { outcome } = await run('{"due": "2026-01-02"}');
  expect([outcome.status, outcome.summary, outcome.output]).toEqual([
    'done',
    'Soon.',
    { due: new Date('2026-01-02') },
  ]);
});

it('fails with output-invalid when no answer fits', async () => {
  const { outcome } = await run('{"due": 1}');
  expect([outcome.status, outcome.output]).toEqual(['failed', undefined]);
});
