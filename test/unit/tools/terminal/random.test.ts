import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { playReplies, run, write, type Step } from './harness.js';

const DIRECTORIES = ['/', '/d/', '/d/e/'];
const path = fc
  .tuple(fc.constantFrom(...DIRECTORIES), fc.constantFrom('a', 'b', 'c'))
  .map(([directory, name]) => `${directory}${name}.txt`);
const word = fc.stringMatching(/^[a-z]{1,4}$/u);

/** Possible actions: the command, and its effect on files by path. */
type Files = Map<string, string>;
interface Action {
  step: Step;
  apply(files: Files): void;
}

const withFile = (files: Files, path: string, then: (content: string) => void): void => {
  const content = files.get(path);
  if (content !== undefined) then(content);
};

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.tuple(path, fc.array(word, { maxLength: 3 })).map(([to, words]): Action => {
    const content = words.map((each) => `${each}\n`).join('');
    return { step: write(to, content), apply: (files) => void files.set(to, content) };
  }),
  fc.tuple(path, word).map(([to, text]): Action => {
    const apply = (files: Files) => void files.set(to, `${files.get(to) ?? ''}${text}\n`);
    return { step: run(`echo ${text} >> ${to}`), apply };
  }),
  fc.tuple(path, path).map(([from, to]): Action => {
    const apply = (files: Files) => withFile(files, from, (content) => files.set(to, content));
    return { step: run(`cp ${from} ${to}`), apply };
  }),
  fc.tuple(path, path).map(([from, to]): Action => {
    const apply = (files: Files) =>
      withFile(files, from, (content) => {
        files.delete(from);
        files.set(to, content);
      });
    return { step: run(`mv ${from} ${to}`), apply };
  }),
  path.map((each): Action => ({ step: run(`rm ${each}`), apply: (files) => void files.delete(each) })),
  fc.constantFrom('/d', '/d/e').map((each): Action => {
    const apply = (files: Files) => {
      for (const known of [...files.keys()]) if (known.startsWith(`${each}/`)) files.delete(known);
    };
    return { step: run(`rm -rf ${each}`), apply };
  }),
  fc.tuple(path, word, word).map(([each, from, to]): Action => {
    const apply = (files: Files) =>
      withFile(files, each, (content) => files.set(each, content.replaceAll(new RegExp(from, 'gu'), to)));
    return { step: run(`sed -i 's/${from}/${to}/g' ${each}`), apply };
  }),
  fc.tuple(path, path).map(([from, to]): Action => {
    const apply = (files: Files) =>
      withFile(files, from, (content) => {
        const lines = content.split('\n').slice(0, -1).sort();
        files.set(to, lines.map((line) => `${line}\n`).join(''));
      });
    return {
      step: run(`if [ -f ${from} ]; then sort ${from} > /tmp.sorted; mv /tmp.sorted ${to}; fi`),
      apply,
    };
  }),
);

test('keeps files consistent when editor and shell alternate', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), async (actions) => {
      const expected: Files = new Map();
      for (const { apply } of actions) apply(expected);
      const steps = actions.map(({ step: [name, args] }): Step => {
        return 'cmd' in args ? run(`mkdir -p /d/e; ${String(args['cmd'])}`) : [name, args];
      });
      const played = await playReplies([steps]);
      expect(played.files).toEqual(Object.fromEntries(expected));
    }),
    { numRuns: 25 },
  );
}, 120_000);
