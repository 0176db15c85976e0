import { expect, it } from 'vitest';
import { activityOf } from '../../../src/core/activity.js';
import { RoleZeroError } from '../../../src/core/error.js';
import type { AgentEvent } from '../../../src/core/events.js';
import type { ChatModel } from '../../../src/core/model.js';
import { applied, emptyConversation } from '../../../src/element/conversation.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, runRole } from '../../../src/testing/index.js';

it('reports each attempt with its wait, and drops the half reply', async () => {
  let calls = 0;
  const model: ChatModel = {
    id: 'flaky',
    contextWindow: 100_000,
    async *chat() {
      calls += 1;
      if (calls === 1) {
        yield { type: 'progress', loaded: 1, total: 5, text: 'Trying again in 2.0 s.', retryInMs: 2000 };
        yield { type: 'progress', loaded: 1, total: 5, text: 'Trying again in 1.0 s.', retryInMs: 1000 };
        yield { type: 'text-delta', text: 'I look at the fi' };
        throw new RoleZeroError('model-request', 'The connection was closed.', { retryable: true });
      }
      const text = `I look at the file.\n${commands(['RoleZero.reply_to_human', { content: 'ok' }], ['end', {}])}`;
      yield { type: 'text-delta', text };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  const { events } = await runRole(new RoleZero({ model }), 'Look at the file, please');
  const retries = events.filter((event) => event.type === 'call-retry');
  expect(retries).toEqual(
    [
      { attempt: 1, attempts: 5, waitMs: 2000, reason: 'Trying again in 2.0 s.' },
      { attempt: 1, attempts: 5, waitMs: 1000, reason: 'Trying again in 1.0 s.' },
      { attempt: 1, attempts: 2, waitMs: 0, reason: 'The connection was closed.' },
    ].map((about) => ({ type: 'call-retry', role: 'Zero', purpose: 'think', ...about })),
  );
  expect(events.filter(({ type }) => type === 'model-progress')).toEqual([]);
  const activities = retries.map((event) => activityOf(event, 'Thinking'));
  expect(activities).toEqual([
    'Asking the model again in 2 s',
    'Asking the model again in 1 s',
    'Asking the model again',
  ]);
  const texts = events.reduce<{ shown: string[]; state: typeof emptyConversation }>(
    ({ shown, state }, event: AgentEvent) => {
      const next = applied(state, event);
      return { shown: [...shown, next.live?.text ?? ''], state: next };
    },
    { shown: [], state: emptyConversation },
  ).shown;
  expect(texts.filter((text) => text.includes('fiI look'))).toEqual([]);
});
