import { human } from '../../src/providers/human/index.js';
import type { ModelHarness } from './chat-model.js';

type HumanTurn = Parameters<Parameters<typeof human>[0]['ask']>[0];

/** A user who types the text of the test. */
export function overUser(): ModelHarness {
  const turns: HumanTurn[] = [];
  let open = 0;
  return {
    row: 'human',
    failure: 'model-request',
    offline: true,
    streams: false,
    reasons: false,
    counts: 'never',
    cuts: false,
    overflows: false,
    torn: (whole) => ({ pieces: [whole] }),
    open(replies) {
      let next = 0;
      return human({
        async ask(turn, signal) {
          turns.push(turn);
          const { pieces = [], then } = replies[next++] ?? { then: 'fail' };
          if (then === 'fail') throw new Error('The keyboard is broken.');
          if (then !== 'hang') return pieces.join('');
          open += 1;
          return new Promise((_, reject) =>
            signal.addEventListener('abort', () => {
              open -= 1;
              reject(new Error('never mind'));
            }),
          );
        },
      });
    },
    calls: () => ({ begun: turns.length, open }),
  };
}
