import { fromAiSdk } from '../../../src/providers/ai-sdk/index.js';
import { scriptedModel } from '../../../src/testing/index.js';
import type { ScriptedModel } from '../../../src/testing/scripted-model.js';
import { chatModelContract, type ModelHarness, type TestReply } from '../../contracts/chat-model.js';
import { overUser } from '../../contracts/human-model.js';
import { contractsOverServer } from '../../contracts/models-over-server.js';
import { startFaultServer } from '../../fault-server/fault-server.js';
import { fakeModel, type FakeModel } from './ai-sdk-fake.js';

contractsOverServer(async () => {
  const server = await startFaultServer();
  return { ...server, requests: () => server.requests };
});

/** The AI SDK streams strings: only the two halves of a character beyond U+FFFF can be split. */
const torn = (whole: string): TestReply => ({ pieces: whole.split('') });

/** Older models of the AI SDK by the format of their streams. */
function overAiSdk(version: 'v2' | 'v3' | 'v4'): ModelHarness {
  let fake: FakeModel = fakeModel([]);
  let begun = 0;
  return {
    failure: 'model-request',
    torn,
    open(replies) {
      begun += fake.calls.length;
      fake = fakeModel(replies, version);
      return fromAiSdk(fake, { contextWindow: 32_768 });
    },
    calls: () => ({ begun: begun + fake.calls.length, open: fake.open() }),
  };
}

chatModelContract('fromAiSdk of version 2', () => overAiSdk('v2'));
chatModelContract('fromAiSdk of version 3', () => overAiSdk('v3'));
chatModelContract('fromAiSdk of version 4', () => overAiSdk('v4'));
chatModelContract('human', overUser);

chatModelContract('scriptedModel', () => {
  let model: ScriptedModel = scriptedModel([]);
  let chunkSize = 4;
  return {
    failure: 'internal', // Rejects because of its script.
    reasons: false,
    counts: false,
    cuts: false,
    overflows: false,
    waits: false,
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
