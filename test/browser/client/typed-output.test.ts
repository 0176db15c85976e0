import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { connect, pageTool, type Session } from 'rolezero';
import { commands } from 'rolezero/testing';
import { finish, newName, open, useSessions } from './scripted-session.js';
import type { Replies } from './typed.worker.js';

useSessions();

const worker = () => new Worker(new URL('./typed.worker.ts', import.meta.url), { type: 'module' });

async function session(
  config: { replies: Replies; silentAt?: string },
  options: Partial<Parameters<typeof connect>[1]> = {},
): Promise<Session> {
  const opened = await connect(worker, { session: newName('typed'), ...options, config });
  open.push(opened);
  return opened;
}

/** How often the model was asked for the typed answer. */
const asked = async (one: Session) =>
  (await one.steps()).flatMap(({ calls }) => calls).filter(({ purpose }) => purpose === 'output').length;

describe('a typed answer over a worker', () => {
  it('fits the schema of the application, which checks more than its JSON Schema, and converts', async () => {
    const replies = { think: [finish], output: ['{"due": "soon"}', '{"due": "2026-01-02"}'] };
    const one = await session({ replies });
    const schema = z.object({
      due: z
        .string()
        .refine((text) => !Number.isNaN(Date.parse(text)), 'is no date')
        .transform((text) => new Date(text)),
    });
    const { status, output } = await one.send('When?', { output: schema }).result();
    const due: Date | undefined = output?.due;
    expect([status, due]).toEqual(['done', new Date('2026-01-02')]);
    expect(await asked(one)).toBe(2);
    expect(one.lastRun?.output).toEqual({ due: '2026-01-02' });
  });

  it('takes schemas of Valibot, ArkType and JSON Schema', async () => {
    const one = await session({ replies: { think: [finish], output: ['{"grade": 2}'] } });
    const valibot = toStandardJsonSchema(v.object({ grade: v.pipe(v.number(), v.maxValue(5)) }));
    const first = await one.send('Rate it.', { output: valibot }).result();
    const second = await one.send('Rate it.', { output: type({ grade: 'number <= 5' }) }).result();
    const json = { type: 'object', properties: { grade: { type: 'integer' } } } as const;
    const third = await one.send('Rate it.', { output: json }).result();
    const grades: (number | undefined)[] = [first.output?.grade, second.output?.grade];
    expect([...grades, third.output]).toEqual([2, 2, { grade: 2 }]);
  });

  it('fails with a named error, and is rejected by name where there can be none', async () => {
    const one = await session({ replies: { think: [finish], output: ['{"grade": "two"}'] } });
    const output = z.object({ grade: z.number() });
    const failed = await one.send('Rate it.', { output }).result();
    expect([failed.status, failed.error?.code, failed.output]).toEqual([
      'failed',
      'output-invalid',
      undefined,
    ]);
    await expect(one.send('Rate it.', { output: {} as never }).result()).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('`output` must be a schema, but is an empty object') as string,
    });
    const running = one.send('Rate it.');
    await expect(one.send('Rate it.', { output }).result()).rejects.toMatchObject({ code: 'invalid' });
    expect((await running.result()).output).toBeUndefined();
  });

  it('is given after the worker was killed while the model wrote it', async () => {
    const replies = { think: [finish], output: ['{"grade": "two"}', '{"grade": 2}'] };
    const name = newName('typed-kill');
    let killed: Worker | undefined;
    const first = await connect(() => (killed = worker()), {
      session: name,
      config: { replies, silentAt: 'output' },
    });
    const run = first.send('Rate it.', { output: z.object({ grade: z.number() }) });
    for await (const event of run) if (event.type === 'call-start' && event.purpose === 'output') break;
    killed?.terminate();
    await expect(run.result()).rejects.toMatchObject({ code: 'worker-lost' });

    const second = await session({ replies }, { session: name, takeOver: true });
    expect(await second.resume().result()).toMatchObject({ status: 'done', output: { grade: 2 } });
    expect(await asked(second)).toBe(2);
  });

  it('and arguments of page tools are checked with every kind of schema', async () => {
    const given: unknown[] = [];
    const run = (input: unknown): string => {
      given.push(input);
      return 'ok';
    };
    const tools = [
      pageTool({
        name: 'Page.plain',
        trusted: true,
        description: 'p',
        input: { type: 'object', properties: { n: { type: 'number' } } },
        run,
      }),
      pageTool({ name: 'Page.ark', trusted: true, description: 'a', input: type({ n: 'number' }), run }),
    ];
    const calls = ['Page.plain', 'Page.ark'].flatMap((tool) => [
      commands([tool, { n: 'one' }]),
      commands([tool, { n: 1 }]),
    ]);
    const one = await session({ replies: { think: [...calls, finish] } }, { tools });
    const outputs: string[] = [];
    one.on((event) => {
      if (event.type === 'command-end' && event.name.startsWith('Page.')) outputs.push(event.output);
    });
    await one.send('Call them.').result();
    expect(given).toEqual([{ n: 1 }, { n: 1 }]);
    expect(outputs.map((output) => /Invalid arguments|executed: ok/.exec(output)?.[0])).toEqual([
      'Invalid arguments',
      'executed: ok',
      'Invalid arguments',
      'executed: ok',
    ]);
  });
});
