import { describe, expect, it } from 'vitest';
import { UserMessage, UserRequirement } from '../../../../src/core/message.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../../src/testing/index.js';
import { editor } from '../../../../src/tools/editor/editor.js';

const RESERVE = 1_000;
const countTokens = (text: string): number => Math.ceil(text.length / 4);
const ending = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);

describe('old observations in the prompt', () => {
  const files = Object.fromEntries(
    Array.from({ length: 7 }, (_, index) => [
      `/${index + 1}.txt`,
      Array.from({ length: 80 }, (_, line) => `file ${index + 1} line ${line} ${'x'.repeat(30)}`).join('\n'),
    ]),
  );
  const readAll = (contextWindow: number) => {
    const reads = Object.keys(files).map((path) => commands(['Editor.read', { path }]));
    const model = scriptedModel(
      { think: [...reads, ending] },
      { contextWindow, countTokens, maxOutputTokens: RESERVE },
    );
    return runRole(
      new RoleZero({ callPlan: 'classic', preset: 'full', compactAt: 1, model, tools: [...editor()] }),
      'read them',
      {
        files,
      },
    );
  };
  /** Tokens of the last step's prompt when nothing is ever omitted. */
  const whole = async (): Promise<number> => {
    const { requests } = await readAll(1_000_000);
    const last = requests.filter(({ purpose }) => purpose === 'think').at(-1);
    return (last?.messages ?? []).reduce((sum, { content }) => sum + countTokens(String(content)) + 6, 0);
  };

  it('A-126 shortens all but the newest five of seven observations when space is needed', async () => {
    const { requests, memory } = await readAll((await whole()) + RESERVE - 10);
    const thoughts = requests.filter(({ purpose }) => purpose === 'think');
    const last = (thoughts.at(-1)?.messages ?? [])
      .filter(({ role }) => role === 'user')
      .map(({ content }) => String(content));
    const observations = last.filter((content) => content.includes('Command Editor.read executed'));
    expect(observations).toHaveLength(7);
    for (const [index, content] of observations.entries()) {
      const folded = index < 2;
      expect(content.includes('Command Editor.read executed.')).toBe(folded);
      expect(content.includes(`file ${index + 1} line 79`)).toBe(!folded);
    }
    const stored = memory.filter(({ content }) => content.startsWith('Command Editor.read executed: '));
    expect(stored.map(({ content }, index) => content.includes(`file ${index + 1} line 79`))).toEqual(
      Array<boolean>(7).fill(true),
    );
  });

  it('changes nothing when all of them fit', async () => {
    const { requests } = await readAll((await whole()) + RESERVE + 10);
    const thoughts = requests.filter(({ purpose }) => purpose === 'think');
    for (const [index, { messages }] of thoughts.entries()) {
      const before = thoughts[index - 1]?.messages ?? [];
      expect(messages.slice(0, before.length)).toEqual(before);
    }
  });
});

describe('images in the prompt', () => {
  const png = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 255]);
  const url = 'data:image/png;base64,iVBORw0KGgoA/w==';
  const look = (
    images: boolean,
    input: string | UserMessage,
    files: Record<string, Uint8Array | string> = {},
  ) => {
    const model = scriptedModel(['Response Category: QUICK', 'A sign.'], { supports: { images } });
    return runRole(new RoleZero({ callPlan: 'classic', model }), input, {
      files: { '/pics/sign.png': png, ...files },
    });
  };
  const contents = ({ requests }: Awaited<ReturnType<typeof look>>) =>
    requests[0]?.messages.slice(1).map(({ content }) => content);

  it('A-128 attaches a workspace image that a user message names, for models that see', async () => {
    const [content] = contents(await look(true, 'What is on /pics/sign.png, and on /pics/none.png?')) ?? [];
    expect(content).toEqual([
      { type: 'text', text: expect.stringContaining('What is on /pics/sign.png') as string },
      { type: 'image', url },
    ]);
  });

  it('detects WebP and AVIF by their first bytes, and omits other files', async () => {
    const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const [content] =
      contents(
        await look(true, 'Compare /a.webp, /b.avif, /d.JPG, /e.png, /f.bmp and /g.png', {
          '/a.webp': bytes('RIFF\x04\0\0\0WEBPVP8 '),
          '/b.avif': bytes('\0\0\0\x1cftypavif'),
          '/d.JPG': bytes('RIFF\x05\0\0\0WEBPVP8L'), // WebP under another name
          '/e.png': '<!doctype html>',
          '/f.bmp': bytes('BM\x1e\0\0\0'),
          '/g.png': bytes('\xff\xd8\xff\xe0'),
        }),
      ) ?? [];
    const urls = (content as { type: string; url?: string }[]).flatMap((part) => part.url ?? []);
    expect(urls.map((each) => each.slice(0, each.indexOf(';')))).toEqual([
      'data:image/webp',
      'data:image/avif',
      'data:image/webp',
      'data:image/jpeg',
    ]);
  });

  it('A-128 for models that do not see, messages are unchanged', async () => {
    const [content] = contents(await look(false, 'What is on /pics/sign.png?')) ?? [];
    expect(content).toEqual(expect.stringContaining('What is on /pics/sign.png?') as string);
  });

  it('A-128 keeps the image in the conversation, and ignores paths in assistant messages', async () => {
    const model = scriptedModel(
      ['Response Category: QUICK', 'It is /pics/sign.png.', 'Response Category: QUICK', 'Yes.'],
      {
        supports: { images: true },
      },
    );
    const role = new RoleZero({ callPlan: 'classic', model });
    await runRole(role, 'What is on /pics/sign.png?', { files: { '/pics/sign.png': png } });
    const { requests } = await runRole(role, 'Are you sure?');
    const shapes = requests[0]?.messages.map(
      ({ role: of, content }) => `${of}: ${typeof content === 'string' ? 'text' : 'parts'}`,
    );
    expect(shapes).toEqual([
      'system: text',
      'user: parts',
      'assistant: text',
      'user: text',
      'assistant: text',
      'user: text',
    ]);
  });

  it('A-259 puts images of a message after its text, and sends plain text without images', async () => {
    const message = (images: string[]) =>
      new UserMessage({
        content: 'Look at this: /pics/sign.png',
        causeBy: UserRequirement,
        sendTo: ['Zero'],
        metadata: { images },
      });
    const [both] = contents(await look(true, message(['https://example.com/a.png', url]))) ?? [];
    expect(both).toEqual([
      { type: 'text', text: expect.stringContaining('Look at this') as string },
      { type: 'image', url: 'https://example.com/a.png' },
      { type: 'image', url },
    ]);
    const [none] = contents(await look(true, message([]))) ?? [];
    expect(none).toEqual(expect.stringContaining('Look at this') as string);
  });

  it('limits the number of images, and omits huge ones', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`/${index}.png`, Uint8Array.of(...png, index)]),
    );
    const [content] = contents(await look(true, Object.keys(many).join(' '), many)) ?? [];
    expect((content as unknown[]).length).toBe(1 + 4);
    const [huge] =
      contents(await look(true, 'See /huge.png', { '/huge.png': new Uint8Array(5_000_000) })) ?? [];
    expect(typeof huge).toBe('string');
  });
});
