import { RoleZeroError } from '../../../src/base/error.js';
import type { ChatModel } from '../../../src/base/model.js';
import { fromAiSdk } from '../../../src/providers/ai-sdk/index.js';
import { failover } from '../../../src/providers/failover.js';
import { metered } from '../../../src/providers/metered.js';
import { openai } from '../../../src/providers/openai/index.js';
import { scriptedModel, type ScriptedModel } from '../../../src/testing/index.js';
import { modelContract, type ModelHarness, type TestReply } from '../../contracts/model-contract.js';
import { startFaultServer } from '../../fault-server/fault-server.js';
import {
  delta,
  done,
  finish,
  refusal,
  sendBytes,
  stall,
  streaming,
  text,
  usage,
} from '../../fault-server/replies.js';
import { fakeModel, type FakeModel } from './ai-sdk-fake.js';

modelContract('openai, at a real server,', async () => {
  const server = await startFaultServer();
  let bytes: number[] | null = null;
  return {
    failure: 'model-request',
    torn(whole) {
      bytes = [
        ...new TextEncoder().encode(
          `data: ${JSON.stringify({ choices: [{ delta: { content: whole } }] })}\n\n`,
        ),
      ];
      return {};
    },
    open(replies) {
      const torn = bytes;
      bytes = null;
      server.script(
        replies.map(({ reasoning, pieces = [], usage: [input, output] = [3, 1], then }) => {
          if (then === 'fail') return refusal(400, 'It broke.');
          const parts = [
            streaming,
            ...(reasoning === undefined ? [] : [delta({ reasoning_content: reasoning })]),
            ...(torn ?? []).map((byte) => sendBytes([byte])),
            ...pieces.map(text),
          ];
          return then === 'hang' ? [...parts, stall] : [...parts, finish(), usage(input, output), done];
        }),
      );
      return openai({ baseURL: server.url, model: 'm' });
    },
    calls: () => ({
      begun: server.requests.length,
      open: server.requests.filter(({ state }) => state === 'open').length,
    }),
    close: () => server.close(),
  };
});

/** The AI SDK's stream comes in strings: what can be torn apart are the two halves of a character beyond U+FFFF. */
const torn = (whole: string): TestReply => ({ pieces: whole.split('') });

function overAiSdk(version: 'v2' | 'v3' | 'v4', wrap = (model: ChatModel): ChatModel => model): ModelHarness {
  let fake: FakeModel = fakeModel([]);
  return {
    failure: 'model-request',
    torn,
    open(replies) {
      fake = fakeModel(replies, version);
      return wrap(fromAiSdk(fake));
    },
    calls: () => ({ begun: fake.calls.length, open: fake.open() }),
  };
}

modelContract('fromAiSdk of version 2', () => overAiSdk('v2'));
modelContract('fromAiSdk of version 3', () => overAiSdk('v3'));
modelContract('fromAiSdk of version 4', () => overAiSdk('v4'));
modelContract('metered', () => overAiSdk('v4', (model) => metered(model, {})));

const dead: ChatModel = {
  id: 'dead',
  contextWindow: 8_192,
  async *chat({ signal }) {
    if (signal.aborted) throw new RoleZeroError('aborted', 'Stopped.');
    throw new RoleZeroError('model-device-lost', 'The device is gone.');
  },
};
modelContract('failover', () => overAiSdk('v4', (model) => failover(dead, model)));

modelContract('scriptedModel', () => {
  let model: ScriptedModel = scriptedModel([]);
  let chunkSize = 4;
  return {
    failure: 'internal', // it complains about its script
    reasons: false,
    counts: false,
    torn(whole) {
      chunkSize = 1;
      return { pieces: [whole] };
    },
    open(replies) {
      const script = replies.filter(({ then }) => then !== 'fail').map(({ pieces = [] }) => pieces.join(''));
      model = scriptedModel(script, { chunkSize });
      chunkSize = 4;
      return model;
    },
    calls: () => ({ begun: model.requests.length, open: 0 }),
  };
});
