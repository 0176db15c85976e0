import { expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, runRole } from '../../../src/testing/index.js';
import { search } from '../../../src/tools/search/index.js';

it('A-267 uses the text of the user as the reply, and calls no model', async () => {
  const zero = new RoleZero({ name: 'Ann', playedByUser: true });
  const answers = ['Response Category: QUICK', 'It is 4.'];
  const { outcome, requests, events } = await runRole(zero, 'What is 2 + 2?', { answers });
  expect(outcome).toMatchObject({ status: 'done', summary: 'It is 4.' });
  expect(requests).toEqual([]);
  expect(events.filter(({ type }) => type === 'usage')).toEqual([]);
  expect(zero.agent.state.usage).toMatchObject({
    calls: 0,
    promptTokens: 0,
    completionTokens: 0,
    costUsd: 0,
  });
});

it('A-267 asks the user instead of the model, and accepts the answer another day', async () => {
  const engine = () => Promise.resolve([{ link: 'https://a.example/', title: 'A', snippet: 's' }]);
  const read = () => Promise.resolve('All about a.');
  const zero = new RoleZero({ name: 'Ann', playedByUser: true, tools: search({ engine, read }) });
  const first = ['Response Category: TASK', 'English', commands(['SearchEnhancedQA.run', { query: 'a?' }])];
  const open = await runRole(zero, 'find out', { answers: [...first, '{"query": "a"}', '[0]'] });
  expect(open.outcome.status).toBe('waiting');
  expect(open.human.questions.at(-1)).toContain('[[citation:0]] All about a.');
});
