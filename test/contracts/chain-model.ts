import type { ChatModel } from '../../src/core/model.js';
import { markOf, type Saying } from '../tiny-chain/chain.js';
import type { ModelHarness, TestReply } from './chat-model.js';

/** A Markov-chain model that runs in the browser, and the number of its calls. */
export interface ChainModel extends ChatModel {
  readonly calls: number;
  unload(): Promise<void>;
}

/** Context window of a chain in these tests, in tokens. */
export const CHAIN_WINDOW = 1_024;

/** Texts that the contract makes a model reply. Other texts work as well, but cost a load. */
const USUAL: readonly TestReply[] = [
  { pieces: ['Hello ', 'big ', 'world'] },
  { pieces: [] },
  { pieces: ['Grüße 🎉 你好 👩‍👩‍👧'] },
  { pieces: ['a $$ b $& c {function_string} `d` ```json\n{"e": "<|im_end|"}\n``` \\n \u2028'] },
  { reasoning: 'Hm.', pieces: ['Yes.'] },
  { pieces: ['Half a'] },
  { pieces: ['Fits.'] },
  { pieces: ['a'] },
  { pieces: ['b'] },
  { pieces: ['a long beginning, ', 'and more'], then: 'hang' },
  { pieces: ['Next.'] },
  { pieces: ['one ', 'two'] },
];

/** An engine that really runs in the browser; `begun` counts its calls. */
export function overChain(
  load: (sayings: readonly Saying[]) => ChainModel,
  begun: () => number,
): Omit<ModelHarness, 'failure'> {
  const sayings = USUAL.map(sayingOf);
  let model: ChainModel | null = null;
  /** Index of a text. A new text needs a model that contains it. */
  const placeOf = (reply: TestReply): number => {
    const saying = sayingOf(reply);
    const known = sayings.findIndex(
      ({ text, endless }) => text === saying.text && endless === saying.endless,
    );
    if (known >= 0) return known;
    void model?.unload();
    model = null;
    return sayings.push(saying) - 1;
  };
  return {
    counts: false,
    waits: false,
    torn: (whole) => ({ pieces: [whole] }), // One token per byte.
    request(reply) {
      const tooLong = reply.then === 'fail' || reply.then === 'overflow';
      const content = tooLong ? 'x'.repeat(CHAIN_WINDOW + 1) : markOf(placeOf(reply));
      return { messages: [{ role: 'user', content }] };
    },
    open(replies) {
      for (const reply of replies) placeOf(reply);
      model ??= load(sayings);
      return model;
    },
    calls: () => ({ begun: begun(), open: model?.calls ?? 0 }),
    async close() {
      await model?.unload();
    },
  };
}

function sayingOf({ reasoning, pieces = [], then }: TestReply): Saying {
  const text = pieces.join('');
  if (then === 'hang') return { text: `${text} and more and more`, endless: true };
  return { text: reasoning === undefined ? text : `<think>${reasoning}</think>\n\n${text}` };
}
