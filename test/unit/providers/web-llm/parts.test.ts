import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAbort, RoleZeroError } from '../../../../src/core/error.js';
import type { ChatMessage } from '../../../../src/core/model.js';
import { internalsOf, loadProgress } from '../../../../src/providers/web-llm/loaded-model.js';
import { chatFault, loadFault, type ModelDetails } from '../../../../src/providers/web-llm/errors.js';
import { grammarSchema } from '../../../../src/providers/local/grammar-schema.js';
import {
  CachedConversation,
  forSystemTemplate,
  forTemplate,
} from '../../../../src/providers/web-llm/cached-conversation.js';
import { Thoughts, type ReplyDelta } from '../../../../src/providers/local/thoughts.js';
import { streamProgress } from '../../../../src/providers/local/stream-progress.js';
import { CallQueue } from '../../../../src/providers/local/call-queue.js';

const never = new AbortController().signal;

describe('texts for templates', () => {
  const text = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom('$', '$$', '$&', '$`', "$'", '{function_string}', 'a', ' '))
      .map((all) => all.join('')),
  );

  test('pass through a template unchanged', () => {
    fc.assert(
      fc.property(text, (answers) => {
        // Filled as web-llm does.
        const user = '{user_message}'
          .replace('{user_message}', forTemplate(answers))
          .replace('{function_string}', '');
        expect(user).toBe(answers);
        const system = '<{system_message}>'.replace('{system_message}', forSystemTemplate(answers));
        expect(system).toBe(`<${answers}>`);
      }),
    );
  });
});

describe('a reply that streams', () => {
  const read = (reply: string, sizes: readonly number[], stops: string[] = [], raw = reply) => {
    const thoughts = new Thoughts(stops);
    const pieces: ReplyDelta[] = [];
    let at = 0;
    for (let next = 0; at < reply.length; next++) {
      const piece = reply.slice(at, at + (sizes[next % sizes.length] ?? 1));
      at += piece.length;
      pieces.push(...thoughts.add(piece));
    }
    pieces.push(...thoughts.end(raw, reply.length));
    const joined = (type: string) =>
      pieces.flatMap((piece) => (piece.type === type ? [piece.text] : [])).join('');
    expect(pieces.map(({ text }) => text)).not.toContain('');
    return [joined('reasoning-delta'), joined('text-delta')];
  };

  test.each([
    ['Hello.', '', 'Hello.'],
    ['<think>Hm.</think>Yes.', 'Hm.', 'Yes.'],
    ['\n<think>\n\n Hm,\n no. \n</think>\n\n Yes. ', 'Hm,\n no.', 'Yes. '],
    ['<think>\n\n</think>\n\nYes.', '', 'Yes.'],
    ['<thinking is hard', '', '<thinking is hard'],
    ['Say <think>no</think>', '', 'Say <think>no</think>'],
    ['<thi', '', '<thi'],
    ['<think>cut of', 'cut of', ''],
    ['', '', ''],
  ])('splits %j into thought and text, however it is cut up', (reply, thought, answers) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), (sizes) => {
        expect(read(reply, sizes)).toEqual([thought, answers]);
      }),
    );
  });

  test('holds back a possible start of a stop string', () => {
    const thoughts = new Thoughts(['STOP']);
    expect(thoughts.add('a ST')).toEqual([{ type: 'text-delta', text: 'a ' }]);
    expect(thoughts.add('AR')).toEqual([{ type: 'text-delta', text: 'STAR' }]);
    expect(thoughts.add(' STO')).toEqual([{ type: 'text-delta', text: ' ' }]);
    // The engine withdrew the stop string: the complete reply is shorter than the text it streamed.
    expect(thoughts.end('a STAR ', 'a STAR STO'.length)).toEqual([]);
  });
});

describe('the conversation in an engine', () => {
  const answers = (...texts: string[]): ChatMessage[] =>
    texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }));

  test('continues with its own text, and restarts with that of the caller', () => {
    const stored = new CachedConversation();
    const plan = stored.plan(answers('one $1'));
    expect(plan).toMatchObject({ continues: false, messages: [{ role: 'user', content: 'one $$1' }] });
    stored.keep(plan, 'shown $', '<think>raw $</think>shown $');
    const next = stored.plan(answers('one $1', 'shown $', 'two'));
    expect(next).toMatchObject({
      continues: true,
      messages: [{ content: 'one $$1' }, { content: '<think>raw $</think>shown $' }, { content: 'two' }],
    });
    expect(stored.restart(next)).toMatchObject({
      continues: false,
      messages: [{ content: 'one $$1' }, { content: 'shown $$' }, { content: 'two' }],
    });
  });

  test.each([
    ['a changed reply', answers('one', 'else', 'two')],
    ['more than one new message', answers('one', 'reply', 'two', 'three', 'four')],
    ['nothing more', answers('one')],
  ])('is not continued by %s', (_what, messages) => {
    const stored = new CachedConversation();
    stored.keep(stored.plan(answers('one')), 'reply', 'reply');
    expect(stored.plan(messages).continues).toBe(false);
  });

  test('is discarded on request', () => {
    const stored = new CachedConversation();
    stored.keep(stored.plan(answers('one')), 'reply', 'reply');
    stored.forget();
    expect(stored.plan(answers('one', 'reply', 'two')).continues).toBe(false);
  });

  test('has one system message at its start, and only texts', () => {
    const image = { type: 'image', url: 'data:image/png;base64,AAAA' } as const;
    const { messages } = new CachedConversation().plan([
      { role: 'system', content: 'a' },
      { role: 'system', content: 'b' },
      { role: 'user', content: [{ type: 'text', text: 'c' }, image] },
    ]);
    expect(messages).toEqual([
      { role: 'system', content: 'a' },
      { role: 'user', content: 'b' },
      { role: 'user', content: 'c\n[An image is left out here: this model reads text only.]' },
    ]);
  });
});

describe('progress', () => {
  const reported = (text: string, progress: number) => loadProgress('M', { progress, timeElapsed: 1, text });

  test('is reported in bytes and steps', () => {
    expect(reported('Fetching param cache[3/50]: 96MB fetched. 6% completed, 2 secs elapsed.', 0.06)).toEqual(
      {
        type: 'progress',
        phase: 'downloading',
        loaded: 96 * 2 ** 20,
        total: 1_600 * 2 ** 20,
        text: 'Downloading M, 96 of 1600 MB.',
      },
    );
    expect(reported('Loading GPU shader modules[7/80]: 8% completed, 1 secs elapsed.', 0.0875)).toMatchObject(
      {
        loaded: 7,
        total: 80,
        text: 'Compiling M for this GPU, step 7 of 80.',
      },
    );
    expect(reported('Finish loading on WebGPU - apple', 1).text).toBe('M is ready on WebGPU - apple.');
    expect(reported('Finish loading on WebGPU - ', 1).text).toBe('M is ready on WebGPU.');
  });

  test('is passed on unchanged in an unknown format', () => {
    expect(reported('Something new', 0.5)).toEqual({
      type: 'progress',
      phase: 'loading',
      loaded: 0.5,
      total: 1,
      text: 'Something new',
    });
  });
});

describe('a schema for a grammar', () => {
  test('has no length limits and no patterns, but properties of any name', () => {
    const schema = {
      $schema: 'x',
      description: 'a',
      type: 'object',
      properties: {
        title: { type: 'string', description: 'b', pattern: '^[^\\n]*$', minLength: 1 },
        pattern: { enum: ['description'] },
      },
      required: ['title'],
    };
    expect(JSON.parse(grammarSchema(schema))).toEqual({
      type: 'object',
      properties: { title: { type: 'string', minLength: 1 }, pattern: { enum: ['description'] } },
      required: ['title'],
    });
    expect(schema.description).toBe('a');
  });

  test('allows only alternatives that the full schema accepts', () => {
    const text = { type: 'string' };
    const number = { type: 'number' };
    const trimmedAlternatives = (...anyOf: object[]) =>
      (JSON.parse(grammarSchema({ properties: { a: { anyOf } } })) as { properties: { a: object } })
        .properties.a;
    expect(trimmedAlternatives(number, { ...text, pattern: '^\\d+$' })).toEqual({
      anyOf: [{ type: 'integer' }],
    });
    expect(trimmedAlternatives(number, text)).toEqual({ anyOf: [{ type: 'integer' }, text] });
    expect(trimmedAlternatives({ ...text, pattern: 'a' }, { ...text, pattern: 'b' })).toEqual({
      anyOf: [text, text],
    });
    expect(JSON.parse(grammarSchema({ type: ['string', 'number'] }))).toEqual({
      type: ['string', 'integer'],
    });
    expect(trimmedAlternatives(number, { type: 'null' })).toEqual({ anyOf: [number, { type: 'null' }] });
  });
});

describe('turns', () => {
  test('run in order, also after a failure', async () => {
    const turns = new CallQueue();
    const order: string[] = [];
    const take = (name: string, work: () => Promise<void> = () => Promise.resolve()) =>
      turns.take(
        async () => {
          order.push(name);
          await work();
        },
        never,
        (before) => order.push(`${name} waits for ${before}`),
      );
    const failing = take('a', () => Promise.reject(new Error('no')));
    await Promise.all([expect(failing).rejects.toThrow('no'), take('b'), take('c')]);
    expect(order).toEqual(['a', 'b waits for 1', 'c waits for 2', 'c waits for 1', 'b', 'c']);
    expect(turns.length).toBe(0);
  });
});

describe('progress events', () => {
  test('reports everything, then fails like the work', async () => {
    const reported: number[] = [];
    const telling = async () => {
      const chunks = streamProgress<number>(async (tell) => {
        tell(1);
        await Promise.resolve();
        tell(2);
        throw new Error('over');
      }, never);
      for await (const chunk of chunks) reported.push(chunk);
    };
    await expect(telling()).rejects.toThrow('over');
    expect(reported).toEqual([1, 2]);
  });

  test('throws a stop at once, even if the work ignores it', async () => {
    const stopping = new AbortController();
    const chunks = streamProgress<number>(() => new Promise(() => undefined), stopping.signal);
    const next = chunks.next();
    stopping.abort();
    await expect(next).rejects.toSatisfy(isAbort);
  });

  test('notifies the work when its reader stopped reading', async () => {
    let heard: AbortSignal | null = null;
    const chunks = streamProgress<number>((tell, signal) => {
      heard = signal;
      tell(1);
      return new Promise(() => undefined);
    }, never);
    for await (const chunk of chunks) {
      expect(chunk).toBe(1);
      break;
    }
    expect(heard).toMatchObject({ aborted: true });
  });
});

describe('faults', () => {
  const about: ModelDetails = { model: 'M', vramMB: 1_000, contextWindow: 100, smaller: null };
  const named = (name: string, message: string) => Object.assign(new Error(message), { name });

  test.each([
    [named('QuotaExceededError', 'full'), 'storage-full', false],
    [named('IntegrityError', 'sha'), 'integrity', false],
    [named('DeviceLostError', 'gone'), 'out-of-memory', undefined],
    [new TypeError('Failed to fetch'), 'download', true],
    [named('NetworkError', "Failed to execute 'add' on 'Cache'"), 'download', true],
    [new Error('boom'), 'engine', false],
  ])('%s while loading', (error, kind, retryable) => {
    const fault = loadFault(error, about);
    expect(fault).toMatchObject({ code: 'model-load', cause: error });
    expect([fault.detail['kind'], fault.detail['retryable']]).toEqual([kind, retryable]);
  });

  test('maps the errors of the engine by name, and ignores an unexpected abort', () => {
    expect(chatFault(named('GrammarMatcherInitError', 'x'), about).detail).toMatchObject({ kind: 'schema' });
    const lost = chatFault(new DOMException('mapAsync', 'AbortError'), about);
    expect(lost.code).toBe('model-request');
    const own = new RoleZeroError('invalid', 'x');
    expect(chatFault(own, about)).toBe(own);
  });

  test('rejects an incompatible release of web-llm at once', () => {
    const engine = { loadedModelIdToPipeline: new Map([['M', { tokenizer: { encode: () => [1] } }]]) };
    expect(() => internalsOf(engine as unknown as Parameters<typeof internalsOf>[0], 'M')).toThrow(
      expect.objectContaining({
        code: 'model-load',
        message: expect.stringContaining('npm install @mlc-ai/web-llm@0.2.86') as string,
      }),
    );
  });
});
