import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { connect, sessions, type AgentEvent, type Session } from 'rolezero';
import { keyVault } from 'rolezero/keys';
import { commands } from 'rolezero/testing';
import { remoteFaultServer, type RemoteFaultServer } from '../../fault-server/remote.js';
import { event, head, json, reply, send, streaming, text, type Reply } from '../../fault-server/replies.js';
import type { CanaryConfig } from './canary.worker.js';
import { everythingStored, formsOf } from './everything-stored.js';

const KEY = 'sk-canary-9b1d4e7a2c5f8036';
/** Part of the user's request. A place where this is found could also expose a key. */
const MARKER = 'marker-5e0c71d2';
const vault = `canary-keys-${crypto.randomUUID()}`;

const worker = () => new Worker(new URL('./canary.worker.ts', import.meta.url), { type: 'module' });
const quoting = { 'x-echo': `Bearer ${KEY}`, 'retry-after': '0', 'set-cookie': `key=${KEY}` };
const written = (content: string) => commands(['Editor.write', { path: '/echo.txt', content }]);
const finish = commands(['RoleZero.reply_to_human', { content: `Done, ${KEY}.` }], ['end', {}]);

/** Echoes the headers, like a gateway with debug output. */
const script: Reply[] = [
  json(500, { error: { message: `Bad header: Bearer ${KEY}`, headers: { authorization: KEY } } }, quoting),
  [streaming, text('Hm'), event({ error: { message: `upstream refused ${KEY}`, code: KEY } })],
  [streaming, ...Array.from(`["${KEY}`, text)],
  [
    head(200, { ...quoting, 'content-type': 'text/event-stream' }),
    ...reply(written(`I was sent ${KEY}.`)).slice(1),
  ],
  reply(finish),
  reply(`Told the person ${KEY}.`),
];

let server: RemoteFaultServer;
let embedding: RemoteFaultServer;
let opened: Session[] = [];
const answers: string[] = [];
const listening = new BroadcastChannel('canary-console');
listening.onmessage = ({ data }) => void answers.push(JSON.stringify(data));
const inFull = (value: unknown): string =>
  value instanceof Error ? `${value.stack} ${inFull(value.cause)}` : (JSON.stringify(value) ?? '');
const levels = ['debug', 'log', 'info', 'warn', 'error'] as const;
const originals = levels.map((level) => console[level]);

beforeEach(async () => {
  server = await remoteFaultServer(inject('faultServer'));
  embedding = await remoteFaultServer(inject('faultServer'));
  await embedding.script([json(401, { error: `Incorrect API key provided: ${KEY}.` }, quoting)], 'repeat');
  answers.length = 0;
  for (const level of levels)
    console[level] = (...parts: unknown[]) => void answers.push(parts.map(inFull).join(' '));
});
afterEach(async () => {
  for (const [index, level] of levels.entries()) console[level] = originals[index] ?? (() => {});
  for (const session of opened) await session.close();
  opened = [];
  for (const { name } of await sessions.list()) if (name.startsWith('canary')) await sessions.remove(name);
  await deleteDB(vault);
});

describe("a provider's key during a complete session in a browser", () => {
  it.each([
    ['a key passed to the worker', { apiKey: KEY }],
    ['a key from the vault', { vault }],
  ])('%s, is neither stored nor shown', async (_where, given) => {
    if ('vault' in given) await keyVault({ database: vault }).put('openai', KEY);
    const config: CanaryConfig = { baseURL: server.url, embedURL: embedding.url, ...given };
    const name = `canary-${crypto.randomUUID()}`;
    const events: AgentEvent[] = [];
    const open = async () => {
      const session = await connect(worker, { session: name, config, askHuman: () => null });
      session.on((reported) => events.push(reported));
      opened.push(session);
      return session;
    };

    await server.script(script, 'repeat');
    const session = await open();
    const result = await session.send(`Write down what you were sent. ${MARKER}`).result();
    await server.script(
      [json(401, { error: { message: `Incorrect API key provided: ${KEY}.` } }, quoting)],
      'repeat',
    );
    const refused = await session.send(`Once more. ${MARKER}`).result();
    await server.script(
      [[head(302, { location: `${server.origin}/?key=${KEY}`, ...quoting }), send(KEY)]],
      'repeat',
    );
    const redirected = await session.send(`And again. ${MARKER}`).result();
    const thrown = await session.files.read(`/${MARKER}`).catch((error: unknown) => error);
    const shown = {
      events,
      results: [result, refused, redirected],
      thrown: inFull(thrown),
      messages: await session.messages(),
      steps: await session.steps(),
      inspection: await session.inspect(),
      audit: await session.audit(),
      echo: await session.files.read('/echo.txt'),
      document: await session.export(),
      closed: await sessions.export(name),
      answers,
    };
    await session.close();
    await (await open()).close(); // Also covers what opening migrates or writes again.

    expect([result.status, refused.status, redirected.status]).toEqual(['done', 'failed', 'failed']);
    expect(shown.echo).toBe('I was sent [secret].');
    const asked = await server.requests();
    expect(asked.every(({ headers }) => headers['authorization'] === `Bearer ${KEY}`)).toBe(true);
    expect(asked.length).toBeGreaterThan(6);
    expect((await embedding.requests()).length).toBeGreaterThan(0);

    const stored = await everythingStored();
    const places = (needle: string) =>
      [...stored].flatMap(([place, held]) => (held.includes(needle) ? [place] : []));
    expect(places(MARKER).map((place) => place.split(/[ /]/)[0])).toEqual(
      expect.arrayContaining(['IndexedDB', 'OPFS']),
    );
    const all = JSON.stringify(shown);
    expect(all.split(MARKER).length).toBeGreaterThan(8);
    for (const form of formsOf(KEY)) {
      expect([form, places(form)]).toEqual([form, []]);
      const at = all.indexOf(form);
      expect(at < 0 ? '' : all.slice(Math.max(0, at - 200), at + 60)).toBe('');
    }
  });
});
