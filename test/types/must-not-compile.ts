/**
 * Lines that must not compile: each is a mistake that the public types catch. `tsc` reports it when one of them begins to compile, because a
 * comment that expects an error is an error where there is none. Nothing here is run.
 */
import * as z from 'zod';
import { connect, pageTool, type AgentEvent, type Session } from 'rolezero';
import { useRun, useSession } from 'rolezero/react';
import { spawn } from 'rolezero/spawn';
import { commands, runRole, scriptedModel } from 'rolezero/testing';
import { editor } from 'rolezero/tools';
import {
  defineTool,
  longTermMemory,
  RoleZero,
  RoleZeroError,
  serve,
  TeamLeader,
  type ChatChunk,
  type ChatModel,
  type Storage,
} from 'rolezero/worker';
import { Plan } from '../../src/plan/plan.js';
import { PlanningRole } from '../../src/metagpt/planning-role.js';
import { failover } from 'rolezero/providers/failover';
import { openai, openaiBaseURLs, readLimits } from 'rolezero/providers/openai';

declare const session: Session;
declare const model: ChatModel;
declare const baseURL: string;
declare const event: AgentEvent;
declare const storage: Storage;
const makeWorker = (): Worker => new Worker('agent.js');
const input = z.object({ city: z.string() });
const noop = (): string => '';
const typed = session.send('', { output: input });

export function tools(): unknown[] {
  return [
    // @ts-expect-error -- an unsafe tool must say what to do after a crash
    defineTool({ name: 'A.b', description: '', input, replay: 'unsafe', run: () => 'done' }),
    // @ts-expect-error -- only unsafe tools say what to do after a crash
    defineTool({ name: 'A.b', description: '', input, replay: 'keyed', onAmbiguous: 'ask', run: noop }),
    // @ts-expect-error -- a tool has a schema
    defineTool({ name: 'A.b', description: '', run: () => 'done' }),
    // @ts-expect-error -- a JSON Schema of arguments is one of an object
    defineTool({ name: 'A.b', description: '', input: { type: 'string' }, run: noop }),
    // @ts-expect-error -- fields are no schema
    defineTool({ name: 'A.b', description: '', input: { city: z.string() }, run: noop }),
    // @ts-expect-error -- a typed answer has the type of its schema
    typed.result().then(({ output }) => output?.town),
    // @ts-expect-error -- fields are no schema of an answer
    session.send('', { output: { city: z.string() } }),
    // @ts-expect-error -- arguments are those of the schema
    defineTool({ name: 'A.b', description: '', input, run: ({ town }) => String(town) }),
    // @ts-expect-error -- there is no such effect
    defineTool({ name: 'A.b', description: '', input, effect: 'network', run: () => 'done' }),
    // @ts-expect-error -- a tool of the page has no role's model to ask
    pageTool({ name: 'A.b', description: '', input, run: (_given, { ask }) => ask({ text: '' }) }),
    // @ts-expect-error -- a function that makes tools is no tool
    new RoleZero({ model, tools: [editor] }),
    // @ts-expect-error -- lists of tools may be nested, but not as an object
    new RoleZero({ model, tools: { editor: editor() } }),
    // @ts-expect-error -- a tool of the worker is not one of the page
    connect(makeWorker, { tools: editor() }),
  ];
}

export function roles(): unknown[] {
  return [
    // @ts-expect-error -- a misspelled option
    new RoleZero({ model, maxStep: 3 }),
    // @ts-expect-error -- a rule allows, asks or denies
    new RoleZero({ model, policy: [{ tool: 'Editor.*', do: 'forbid' }] }),
    // @ts-expect-error -- a budget is in numbers
    new RoleZero({ model, budget: { usd: '1' } }),
    // @ts-expect-error -- two call plans there are
    new RoleZero({ model, callPlan: 'parallel' }),
    // @ts-expect-error -- the texts for the model have names
    new RoleZero({ model, prompts: { greeting: 'Hello' } }),
    // @ts-expect-error -- a model is no name of one
    new TeamLeader({ model: 'gpt-5' }),
    // @ts-expect-error -- an option that is undefined is left out
    new RoleZero({ model: undefined }),
    // @ts-expect-error -- how many, not whether
    longTermMemory({ maxMessages: true }),
    // @ts-expect-error -- a role that plans must say what it does on a task
    new PlanningRole({ model }),
    // @ts-expect-error -- a team has roles
    serve(() => ({ leader: new TeamLeader({ model }) })),
    // @ts-expect-error -- all roles get a message, or only the named ones
    serve(() => ({ roles: [new RoleZero({ model })], chat: 'secret' })),
    // @ts-expect-error -- a task names what it depends on
    new Plan().appendTask('1', 'do it'),
  ];
}

export function models(): unknown[] {
  // @ts-expect-error -- a model has a context window
  const windowless: ChatModel = {
    id: 'a',
    chat: () => model.chat({ purpose: 'other', messages: [], signal }),
  };
  // @ts-expect-error -- a chunk ends for a reason that is known
  const chunk: ChatChunk = { type: 'finish', reason: 'done' };
  const { signal } = new AbortController();
  return [
    windowless,
    chunk,
    // @ts-expect-error -- a call has a purpose
    model.chat({ messages: [], signal }),
    // @ts-expect-error -- a call can be stopped
    model.chat({ purpose: 'other', messages: [] }),
    // @ts-expect-error -- a server has an address
    openai({ model: 'gpt-5-mini' }),
    // @ts-expect-error -- the context window of an unknown model is required
    openai({ baseURL, model: 'my-model' }),
    // @ts-expect-error -- a local model has the window that its server gives it
    openai({ baseURL: openaiBaseURLs.ollama, model: 'qwen3:8b' }),
    // @ts-expect-error -- another model of a known family is unknown
    openai({ baseURL, model: 'gpt-5-ultra' }),
    // @ts-expect-error -- a name that the types do not know needs a window
    openai({ baseURL, model: baseURL }),
    // @ts-expect-error -- a window is a number
    openai({ baseURL, model: 'my-model', contextWindow: '8k' }),
    // These compile: known models by the names that services give them, and any model with its window.
    openai({ baseURL, model: 'gpt-5-mini' }),
    openai({ baseURL, model: 'gpt-5-mini-2025-08-07' }),
    openai({ baseURL, model: 'openai/gpt-5-mini' }),
    openai({ baseURL, model: 'anthropic/claude-opus-4.5' }),
    openai({ baseURL, model: baseURL, contextWindow: 32_768 }),
    readLimits({ baseURL, model: 'my-model' }).then(openai),
    // @ts-expect-error -- it takes models one after the other, not a list
    failover([model, model]),
    // @ts-expect-error -- ready-made workers take plain data
    spawn({ model }),
    // @ts-expect-error -- codes are a list that can be branched on
    new RoleZeroError('oops', 'Something went wrong.'),
  ];
}

export async function onThePage(): Promise<unknown[]> {
  const run = session.send('hello');
  return [
    // @ts-expect-error -- a request is a text
    session.send({ text: 'hello' }),
    // @ts-expect-error -- `to` is a name
    session.send('hello', { to: new RoleZero({ model }) }),
    // @ts-expect-error -- a session is made by connect
    new (session.constructor as typeof Session)(),
    // @ts-expect-error -- whether there is a question must be looked at first
    session.answer(session.waiting.id, 'yes'),
    // @ts-expect-error -- which event it is must be looked at first
    event.text,
    // @ts-expect-error -- there is no such event
    event.type === 'thought-begin',
    // @ts-expect-error -- a result may have no error
    (await run.result()).error.code,
    // @ts-expect-error -- a run's result comes later
    run.result().status,
    // @ts-expect-error -- content is text or bytes
    session.files.write('/a.json', { a: 1 }),
    // @ts-expect-error -- a user answers yes, no or nothing
    connect(makeWorker, { approve: () => 'yes' }),
    // @ts-expect-error -- a commit says where randomness goes on
    storage.open('a').then((store) => store.commit([])),
    // @ts-expect-error -- a table of the session's
    storage.open('a').then((store) => store.load('plans')),
    // @ts-expect-error -- a session may not be open yet
    useSession('game', () => connect(makeWorker)).session.send('hello'),
    // @ts-expect-error -- it follows a session, not a name
    useRun('game'),
    // @ts-expect-error -- what a component is shown is not for it to change
    useRun(session).events.push(event),
  ];
}

/** What a worker file exports: `export default serve<…>(…)`. */
type AgentWorker = { default: ReturnType<typeof serve<{ apiKey: string; baseURL?: string }>> };
const schema = z.object({ apiKey: z.string() });

export function configs(): unknown[] {
  return [
    connect<AgentWorker>(makeWorker, { config: { apiKey: '' } }),
    connect<AgentWorker['default']>(makeWorker, { config: { apiKey: '', baseURL: '' }, session: 'game' }),
    serve(({ apiKey }) => new RoleZero({ model, goal: apiKey }), { config: schema }),
    // @ts-expect-error -- the worker needs a config
    connect<AgentWorker>(makeWorker, {}),
    // @ts-expect-error -- a misspelled key of the config
    connect<AgentWorker>(makeWorker, { config: { apikey: '' } }),
    // @ts-expect-error -- a key of the wrong type
    connect<AgentWorker['default']>(makeWorker, { config: { apiKey: 1 } }),
    // @ts-expect-error -- a module that does not export what serve() returns
    connect<typeof import('rolezero')>(makeWorker, { session: 'game' }),
    // @ts-expect-error -- the schema has no such key
    serve(({ apikey }) => new RoleZero({ model, goal: apikey }), { config: schema }),
    // @ts-expect-error -- the schema does not fit the type of the config
    serve<{ baseURL: string }>(() => new RoleZero({ model }), { config: schema }),
  ];
}

export async function tests(): Promise<unknown[]> {
  const role = new RoleZero({ model });
  return [
    // @ts-expect-error -- replies are for purposes that exist
    scriptedModel({ thinking: ['hello'] }),
    // @ts-expect-error -- a command has arguments, if none then {}
    commands(['end']),
    // @ts-expect-error -- answers are a list
    await runRole(role, 'hello', { answers: 'yes' }),
    // @ts-expect-error -- files are given by their paths
    (await runRole(role, 'hello')).files.get('/a.txt'),
  ];
}
