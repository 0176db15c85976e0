import { expect, it } from 'vitest';
import { human } from '../../../src/providers/human/index.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { runRole } from '../../../src/testing/index.js';
import { ask, collect } from '../../fault-server/collect.js';

type HumanTurn = Parameters<Parameters<typeof human>[0]['ask']>[0];

it('A-267 returns the text of the user, and nothing for completion calls', async () => {
  const shown: HumanTurn[] = [];
  const model = human({
    ask: (turn) => {
      shown.push(turn);
      return Promise.resolve('It is 4.');
    },
  });
  const messages = [
    { role: 'system' as const, content: 'Be kind.' },
    {
      role: 'user' as const,
      content: [
        { type: 'text' as const, text: 'What is it?' },
        { type: 'image' as const, url: 'https://a.example/b.png' },
      ],
    },
  ];
  const { chunks } = await collect(model, ask({ messages, purpose: 'quick' }));
  expect(chunks).toEqual([
    { type: 'text-delta', text: 'It is 4.' },
    { type: 'finish', reason: 'stop' },
  ]);
  expect(shown).toEqual([
    { prompt: 'What is it?\n[An image: https://a.example/b.png]', messages, purpose: 'quick' },
  ]);
});

it.each(['exit', ' QUIT\n'])('A-267 ends the run at the word %j, which can continue later', async (word) => {
  const model = human({ ask: () => Promise.resolve(word) });
  expect((await collect(model)).error).toMatchObject({ code: 'aborted' });
  const zero = new RoleZero({ model });
  const { outcome } = await runRole(zero, 'What is 2 + 2?');
  expect(outcome.status).toBe('stopped');
  expect(zero.agent.isResumable).toBe(true);
});

it('reports that no user is connected, and does not wait for one after it is stopped', async () => {
  const noUser = human({ ask: () => Promise.resolve(null) });
  expect((await collect(noUser)).error).toMatchObject({ code: 'model-unreachable' });
  const deaf = human({ ask: () => new Promise(() => {}) });
  const stopping = new AbortController();
  const call = collect(deaf, ask({ signal: stopping.signal }));
  stopping.abort();
  expect((await call).error).toMatchObject({ code: 'aborted' });
});
