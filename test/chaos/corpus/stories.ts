import type { Session } from '../../../src/session/session.js';
import type { Dice } from '../simulation/dice.js';
import { FAULTS, type Fault, type FaultKind } from '../simulation/faults.js';
import type { Job } from '../simulation/jobs.js';
import { CORPUS_JOBS, corpusJob } from './jobs.js';
import { TEXTS } from './texts.js';

/** How one session of the corpus was created. */
export interface Story {
  /** Also the name of the session. */
  name: string;
  job: Job;
  faults: readonly Fault[];
  /** A user is present and answers. */
  answers: boolean;
  /** Actions of the user. */
  user(session: Session, job: Job): Promise<unknown>;
}

/** Sends the request of the job and waits for the result. */
async function asks(session: Session, { request }: Job): Promise<void> {
  await (
    await session.send(request)
  ).result;
}

const story = (
  name: string,
  job: string | Job,
  user: Story['user'] = asks,
  more: Partial<Story> = {},
): Story => ({
  name,
  job: typeof job === 'string' ? corpusJob(job) : job,
  faults: [],
  answers: true,
  user,
  ...more,
});

/** Faults that leave a different state than a crash at the same place. */
const LEAVING: readonly FaultKind[] = FAULTS.filter(
  (kind) => !['power', 'broken-stream', 'clock'].includes(kind),
);

/** One job interrupted this many times, at instants spread over all of it, by all faults in turn. */
export function interrupted(job: Job, instants: number, times: number, dice: Dice): Story[] {
  const first = dice.below(LEAVING.length);
  return Array.from({ length: times }, (_, time) => {
    const at = Math.max(3, Math.ceil(((time + 0.5) / times) * instants));
    const crashes = time % 2 === 0;
    const kind = crashes ? 'crash' : (LEAVING[(first + time) % LEAVING.length] ?? 'stop');
    const after = crashes ? time % 4 === 0 : dice.once(2);
    return story(`${job.name}, ${kind} at ${at}${after ? '+' : '-'}`, job, asks, {
      faults: [{ kind, at, after }],
    });
  });
}

/** Every job without interruption. */
export const undisturbed: readonly Story[] = CORPUS_JOBS.map((job) => story(`${job.name}, done`, job));

/** Every job with a question, left open because no user was present. */
export const unanswered: readonly Story[] = [
  'alone',
  'ordering',
  'allowed',
  'choosing',
  'labelled',
  'crew',
  'spending',
].map((name) => story(`${name}, no user there`, name, asks, { answers: false }));

const bytes = (length: number, dice: Dice): Uint8Array => Uint8Array.from({ length }, () => dice.below(256));

async function newest(session: Session): Promise<string> {
  return (await session.files.history()).at(-1)?.id ?? '';
}

/** Actions of users other than requests. */
export function lives(dice: Dice): Story[] {
  return [
    story('nothing yet', 'noting', async () => {}),
    story('only files', 'alone', async ({ files }) => {
      for (const [what, text] of Object.entries(TEXTS)) await files.write(`/${what}.txt`, text);
      await files.makeDirectory('/empty/below');
    }),
    story('binary', 'alone', async ({ files }) => {
      await files.write(
        '/all.bin',
        Uint8Array.from({ length: 256 }, (_, value) => value),
      );
      await files.write('/noise.bin', bytes(3_000, dice));
      await files.write('/none.bin', new Uint8Array());
      await files.write('/not-utf8.txt', Uint8Array.of(0xff, 0xfe, 0x80, 0x61));
      await files.copy('/all.bin', '/copies/one.bin');
      await files.move('/noise.bin', '/copies/noise.bin');
    }),
    story('binary, then work', 'noting', async (session, job) => {
      await session.files.writeAll([{ path: '/given.bin', content: bytes(500, dice) }, { path: '/folder' }]);
      await asks(session, job);
      await session.files.remove('/given.bin');
    }),
    story('given by others', 'labelled', async (session, job) => {
      await session.files.writeAll([{ path: '/given.md', content: '# Given' }], { untrusted: 'a zip' });
      await asks(session, job);
    }),
    story('undone', 'patching', async (session, job) => {
      await asks(session, job);
      for (let times = 0; times < 3; times++) {
        const change = (await session.files.history()).findLast(
          ({ undone, name }) => !undone && name !== 'undo',
        );
        await session.files.undo(change?.id ?? '');
      }
    }),
    story('undone and done again', 'patching', async (session, job) => {
      await asks(session, job);
      await session.files.write('/mine.txt', 'mine');
      await session.files.undo(await newest(session));
      await session.files.undo(await newest(session));
      await session.files.write('/list.txt', 'all new');
      await session.files.undo(await newest(session));
    }),
    story('a history forgotten', 'patching', async (session, job) => {
      await asks(session, job);
      for (let times = 0; times < 30; times++) await session.files.write('/often.txt', `${times}`);
      await session.files.forgetHistory(4);
    }),
    story('changed by the user in between', 'serving', async (session, job) => {
      await asks(session, job);
      await session.files.write('/served.txt', 'by hand');
      await session.files.move('/served.txt', '/kept.txt');
      await asks(session, job);
    }),
    story('two pieces of work', 'serving', async (session, job) => {
      await asks(session, job);
      await asks(session, job);
    }),
    story('four pieces of work', 'serving', async (session, job) => {
      for (const request of ['one', 'two', 'three', 'four']) await asks(session, { ...job, request });
    }),
    story('spoken to while it works', 'alone', async (session) => {
      const run = await session.send('make it');
      await session.send('and make it 緑');
      await run.result;
    }),
    story('spoken to twice at once', 'team', async (session, job) => {
      await session.send(job.request);
      await (
        await session.send('with a picture')
      ).result;
    }),
    story('a member spoken to', 'team', async (session, job) => {
      await asks(session, job);
      await (
        await session.send('How was it?', { to: 'Rita' })
      ).result;
    }),
    story(
      'stopped, answered, left',
      'ordering',
      async (session, job) => {
        await asks(session, job);
        if (session.waiting !== null) await session.answer(session.waiting.id, 'green');
      },
      { answers: false },
    ),
    story(
      'given up for something else',
      'paying',
      async (session, job) => {
        await asks(session, job); // The model cannot be reached.
        await asks(session, { ...job, request: 'something else' });
      },
      { faults: [{ kind: 'dead-model', at: 8, after: false }] },
    ),
    story(
      'failed twice',
      'alone',
      async (session, job) => {
        await asks(session, job);
        await (
          await session.resume()
        ).result;
      },
      {
        faults: [
          { kind: 'quota', at: 9, after: false },
          { kind: 'dead-model', at: 12, after: false },
        ],
      },
    ),
    story(
      'stopped three times',
      'merged',
      async (session, job) => {
        await asks(session, job);
        while (session.resumable && session.lastRun?.status === 'stopped')
          await (
            await session.resume()
          ).result;
      },
      { faults: [9, 15, 22].map((at) => ({ kind: 'stop', at, after: false })) },
    ),
    story('memories forgotten and changed', 'remembering', async (session, job) => {
      await asks(session, job);
      const [first, second, third] = await session.memory.list();
      await session.memory.forget(first?.id ?? '');
      await session.memory.change(second?.id ?? '', { content: 'otherwise: 別の', pinned: true });
      await session.memory.change(third?.id ?? '', { pinned: true });
    }),
    story('memories archived', 'remembering', async (session, job) => {
      await asks(session, job);
      await session.memory.archive({ oldest: 5 }, () => true);
    }),
    story('memories brought along', 'serving', async (session, job) => {
      const items = Object.entries(TEXTS).map(([what, content], index) => ({
        id: `imported-${what}`,
        role: '',
        project: index % 5 === 0 ? 'another' : '',
        createdAt: index,
        message: {
          id: `imported-${what}`,
          content,
          role: 'user',
          causeBy: 'UserRequirement',
          sentFrom: '',
          sendTo: ['<all>'],
          metadata: {},
        },
      }));
      await session.memory.import({ format: 'rolezero-memory', version: 1, session: 'x', items });
      await asks(session, job);
    }),
    story('many pieces of work, much of it remembered', 'serving', async (session, job) => {
      for (const [what, request] of Object.entries(TEXTS).slice(0, 12))
        await asks(session, { ...job, request: `${what}: ${request}` });
    }),
    story('\u{1F3F3}️‍\u{1F308} имя 名前 اسم / ../ "x" <b>', 'greeting', async (session) => {
      await (
        await session.send('hello, 名前')
      ).result;
    }),
    story('n'.repeat(200), 'greeting', async (session, job) => {
      for (const request of ['hello', 'здравствуйте', '👋']) await asks(session, { ...job, request });
    }),
  ];
}
