import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { defineTool, pageTool, sessions, type AgentEvent } from 'rolezero';
import { commands } from 'rolezero/testing';
import type { ScriptedConfig } from './scripted.worker.js';
import { collect, finish, gate, newName, session, useSessions, write } from './scripted-session.js';

useSessions();

describe('a page and its worker', () => {
  it('runs a request to its end and streams its events', async () => {
    const agent = await session({
      script: [write('/a.txt', 'hello\n'), finish],
    });
    const run = agent.send('write hello');
    const events = await collect(run);
    expect(events[0]).toMatchObject({ type: 'run-start', request: 'write hello', resumed: false });
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'done', summary: 'There it is.' });
    expect(events.flatMap((event) => (event.type === 'command-end' ? [event.name] : []))).toEqual([
      'Editor.write',
      'RoleZero.reply_to_human',
      'end',
    ]);
    expect(events.filter((event) => event.type === 'human-reply')).toMatchObject([{ text: 'There it is.' }]);
    const texts = (type: 'reply-delta' | 'thought-delta'): string =>
      events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');
    expect(texts('reply-delta')).toBe(write('/a.txt', 'hello\n') + finish);
    expect(texts('thought-delta')).toBe('I will run Editor.write.I will run RoleZero.reply_to_human, end.');
    expect(await run.result()).toEqual({ status: 'done', summary: 'There it is.', error: null });
    expect(await agent.files.read('/a.txt')).toBe('hello\n');
    expect(agent.running).toBeNull();
    expect((await agent.usage()).calls).toBe(2);
  });

  it('restores everything after the worker was replaced', async () => {
    const script = [write('/a.txt', 'hello\n'), finish];
    const first = await session({ script });
    await first.send('write hello').result();
    const before = [await first.messages(), await first.plan(), await first.files.list()];
    await first.close();
    const second = await session({}, { session: first.name });
    expect([await second.messages(), await second.plan(), await second.files.list()]).toEqual(before);
    expect(second.lastRun).toEqual({ status: 'done', summary: 'There it is.', error: null });
  });

  it('returns the end of a conversation first, then the earlier pages', async () => {
    const first = await session({
      script: [write('/a.txt', 'hello\n'), finish],
    });
    await first.send('write hello').result();
    const all = await first.messages();
    await first.close();
    const second = await session({}, { session: first.name });
    const newest = await second.messages({ last: 2 });
    expect(newest).toEqual(all.slice(-2));
    expect(await second.messages({ last: 2, before: newest[0]?.id ?? '' })).toEqual(all.slice(-4, -2));
    expect(await second.messages({ role: 'Zero' })).toEqual(all);
    await expect(second.messages({ last: -1 })).rejects.toMatchObject({ code: 'invalid' });
    await expect(second.messages({ before: 'nobody' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('asks the user and continues with the answer', async () => {
    const ask = commands(['RoleZero.ask_human', { question: 'Which color?', options: ['red', 'blue'] }]);
    const agent = await session(
      { script: [ask, finish] },
      { askHuman: (question) => question.options?.[1] ?? null },
    );
    const events = await collect(agent.send('paint'));
    expect(events.find((event) => event.type === 'human-question')).toMatchObject({
      question: { text: 'Which color?', options: ['red', 'blue'] },
    });
    expect((await agent.messages()).map((message) => message.content)).toContain(
      'Command RoleZero.ask_human executed:Human response: blue',
    );
  });

  it('leaves a question open and accepts its answer after a reload', async () => {
    const ask = commands(['RoleZero.ask_human', { question: 'Which color?' }]);
    const first = await session({ script: [ask] });
    expect((await first.send('paint').result()).status).toBe('waiting');
    await first.close();
    const second = await session({ script: [finish, 'done'] }, { session: first.name });
    const question = second.waiting;
    expect(question).toMatchObject({ text: 'Which color?', kind: 'question' });
    await second.answer(question?.id ?? '', 'green');
    expect([second.waiting, second.resumable]).toEqual([null, true]);
    expect((await second.resume().result()).status).toBe('done');
    expect((await second.messages()).map((message) => message.content)).toContain(
      'Command RoleZero.ask_human executed:Human response: green',
    );
  });

  it('asks for approval when a rule requires it', async () => {
    const asked: string[] = [];
    const agent = await session(
      {
        script: [write('/a.txt', 'x'), finish],
        policy: [{ tool: 'Editor.*', do: 'ask' }],
      },
      {
        approve: (command) => {
          asked.push(command.name);
          return false;
        },
      },
    );
    await agent.send('write').result();
    expect([asked, await agent.files.list()]).toEqual([['Editor.write'], []]);
  });

  it('runs tools of the page with validated arguments', async () => {
    const seen: unknown[] = [];
    const title = defineTool({
      name: 'Page.title',
      description: 'Set the title of the page.',
      input: z.object({ title: z.string() }),
      trusted: true,
      run: ({ title: text }) => {
        seen.push(text);
        return `title is ${text}`;
      },
    });
    const call = (args: Record<string, never> | { title: string }) => commands(['Page.title', args]);
    const agent = await session(
      { script: [call({}), call({ title: 'Hi' }), finish] },
      { tools: [pageTool(title)] },
    );
    await agent.send('title').result();
    const contents = (await agent.messages()).map((message) => message.content);
    expect(seen).toEqual(['Hi']);
    expect(contents).toContain('Command Page.title executed: title is Hi');
    expect(contents.some((content) => content.includes('Invalid arguments for Page.title'))).toBe(true);
  });

  it('stops a model that never answers and can continue afterwards', async () => {
    const agent = await session({ silent: true });
    const run = agent.send('hello?');
    for await (const event of run) if (event.type === 'run-start') run.stop();
    expect((await run.result()).status).toBe('stopped');
    expect(agent.resumable).toBe(true);
  });

  it('shows the words of a reply once that broke off, and reports the next attempt', async () => {
    const agent = await session({
      script: [`I am about to write it.\n${write('/a.txt', 'x')}`, finish],
      breaks: 1,
    });
    const run = agent.send('write');
    const retries: unknown[] = [];
    const shown: string[] = [];
    let words = '';
    for await (const event of run) {
      if (event.type === 'call-retry')
        retries.push([event.attempt, event.attempts, event.waitMs, event.reason]);
      if (event.type === 'call-start' || event.type === 'call-retry') words = '';
      if (event.type === 'thought-delta') words += event.text;
      if (event.type === 'thought-end') shown.push(words);
    }
    expect(retries).toEqual([[1, 2, 0, 'The connection was closed.']]);
    expect(shown[0]?.match(/I am about/g)).toHaveLength(1);
  });

  it('hands a second message to the run in progress', async () => {
    const agent = await session({
      script: [write('/a.txt', 'x'), finish],
      delay: 30,
    });
    const run = agent.send('write');
    const second = agent.send('in blue, please');
    expect((await run.result()).status).toBe('done');
    expect(await second.result()).toEqual(await run.result());
    expect((await agent.messages()).map((message) => message.content)).toContain('in blue, please');
  });

  it('shows the requests that wait during a run, and changes them', async () => {
    const { tools, call, reached, pass } = gate();
    const agent = await session({ script: [call, finish] }, { tools });
    const heard: [string, string[], string[]][] = [];
    agent.on((event) => {
      if (event.type === 'queue-changed')
        heard.push([event.change, event.messageIds, agent.queued.map(({ content }) => content)]);
    });
    const run = agent.send('write');
    await reached;
    await agent.send('in blue', { id: 'blue' }).accepted;
    await agent.send('and large', { id: 'large' }).accepted;
    expect(agent.queued.map(({ messageId, role }) => [messageId, role])).toEqual([
      ['blue', 'Zero'],
      ['large', 'Zero'],
    ]);
    await agent.revise('blue', 'in red');
    await agent.withdraw('large');
    expect(agent.queued.map(({ content }) => content)).toEqual(['in red']);
    pass();
    expect((await run.result()).status).toBe('done');
    expect(agent.queued).toEqual([]);
    expect(heard).toEqual([
      ['waiting', ['blue'], ['in blue']],
      ['waiting', ['large'], ['in blue', 'and large']],
      ['revised', ['blue'], ['in red', 'and large']],
      ['withdrawn', ['large'], ['in red']],
      ['read', ['blue'], []],
    ]);
    const contents = (await agent.messages()).map(({ content }) => content);
    expect(contents).toContain('in red');
    expect(contents.join()).not.toMatch(/in blue|and large/);
    await expect(agent.withdraw('blue')).rejects.toMatchObject({ code: 'conflict' });
    await expect(agent.revise('other', 'x')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('shows a request that waits after a reload', async () => {
    const name = newName('queued');
    const first = await session({ silent: true }, { session: name });
    const run = first.send('write');
    await run.accepted;
    await first.send('in blue', { id: 'blue' }).accepted;
    await first.send('and large', { id: 'large' }).accepted;
    await first.withdraw('large');
    await first.close();
    const agent = await session({ script: [write('/a.txt', 'x'), finish] }, { session: name });
    expect(agent.queued).toEqual([{ messageId: 'blue', content: 'in blue', role: 'Zero' }]);
    expect((await agent.resume().result()).status).toBe('done');
    expect(agent.queued).toEqual([]);
  });

  it('commits and reports files that a user changes', async () => {
    const agent = await session({});
    const reported: AgentEvent[] = [];
    agent.on((event) => reported.push(event));
    await agent.files.write('/notes/a.md', '# hi');
    await agent.files.move('/notes/a.md', '/b.md');
    await agent.files.remove('/b.md');
    expect(reported.filter((event) => event.type === 'file-changed')).toEqual([
      { type: 'file-changed', path: '/notes/a.md', change: 'written', by: 'user' },
      { type: 'file-changed', path: '/b.md', change: 'written', by: 'user' },
      { type: 'file-changed', path: '/notes/a.md', change: 'removed', by: 'user' },
      { type: 'file-changed', path: '/b.md', change: 'removed', by: 'user' },
    ]);
    await expect(agent.files.read('/../etc/passwd')).rejects.toMatchObject({ code: 'permission' });
    await expect(agent.files.read('/nothing')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('returns long-term memories, also after a reload, and forgets them on request', async () => {
    const config: ScriptedConfig = { script: { think: [finish, finish] }, window: 2 };
    const first = await session(config);
    await first.send('The key is under the mat.').result();
    await first.send('Where is the key?').result();
    await first.close();

    const again = await session(config, { session: first.name });
    const [found] = await again.memory.search('key mat', { limit: 1 });
    expect(found).toMatchObject({ role: 'Zero', message: { content: 'The key is under the mat.' } });
    const listed = await again.memory.list();
    const last = listed.at(-1)?.id ?? '';
    expect(await again.memory.list({ before: last })).toEqual(listed.slice(0, -1));
    expect(await again.memory.list({ limit: 1, before: last })).toEqual(listed.slice(-2, -1));
    expect(listed[0]).toEqual(found);
    expect(await again.memory.export({ role: 'Zero' })).toMatchObject({ session: first.name, items: listed });
    expect([await again.memory.forget(found?.id ?? ''), await again.memory.forget('nobody')]).toEqual([
      true,
      false,
    ]);
    expect(await again.memory.list()).toEqual(listed.slice(1));
    await expect(again.memory.list({ role: 'Eve' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('exports a session that can be imported under another name', async () => {
    const agent = await session({ script: ['Hello!'] });
    await agent.send('hi').result();
    const text = JSON.stringify(await agent.export());
    expect(JSON.stringify(await sessions.export(agent.name))).toBe(text); // opens nothing
    await sessions.import(JSON.parse(text), `${agent.name}-copy`);
    const copy = await session({}, { session: `${agent.name}-copy` });
    expect(await copy.messages()).toEqual(await agent.messages());
    expect((await sessions.list()).map((info) => info.name)).toEqual(
      expect.arrayContaining([agent.name, copy.name]),
    );
  });
});
