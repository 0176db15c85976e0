import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../scripts/eval/evaluation.js';
import { Collector } from '../../../scripts/eval/collect.js';
import { ALL_TASKS } from '../../../scripts/eval/tasks/index.js';
import { occursInReply } from '../../../src/agent/read-reply.js';
import { parseCommands } from '../../../src/agent/parse/commands.js';
import { unconfirmedClaim } from '../../../src/agent/commands/check-claims.js';
import { PROMPTS } from '../../../src/agent/prompt/prompts.js';
import type { AgentEvent, RunFacts, StepTrace } from '../../../src/core/events.js';
import type { ChatModel } from '../../../src/core/model.js';
import { commands, runRole } from '../../../src/testing/index.js';
import { untouchedIn } from '../../../src/parts/small-model/request-words.js';
import { editor } from '../../../src/tools/index.js';
import { RoleZero } from '../../../src/worker/index.js';

const root = fileURLToPath(new URL('../../corpus/real/', import.meta.url));
const recordings = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json'))
  .toSorted()
  .map((name) => [name, JSON.parse(readFileSync(`${root}${name}`, 'utf8')) as Recording] as const);

/** Steps of a replay; the recorded tasks have at most 8. */
const MOST_STEPS = 12;

/** A model that writes the recorded replies in their order, for each kind of call, and ends then. */
function recordedModel({ replies, replyFormat }: Recording): ChatModel {
  const left = [...replies];
  const isNative = replyFormat?.startsWith('tools') === true;
  return {
    id: 'recorded',
    contextWindow: 16_384,
    supports: { jsonSchema: replyFormat === 'schema', toolCalls: isNative },
    async *chat({ purpose }) {
      const at = left.findIndex((reply) => reply.purpose === purpose);
      const [reply] = at < 0 ? [] : left.splice(at, 1);
      const givesCommands = ['think', 'regenerate', 'repair'].includes(purpose);
      yield {
        type: 'text-delta',
        text: reply?.text ?? (givesCommands ? commands(['end', {}]) : 'That is all.'),
      };
      for (const [index, call] of (reply?.calls ?? []).entries()) yield { type: 'tool-call', index, ...call };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

async function replayed(recording: Recording) {
  const task = ALL_TASKS.find(({ id }) => id === recording.task);
  if (task === undefined) throw new Error(`There is no task ${recording.task} any more.`);
  const collector = new Collector(task);
  const role = new RoleZero({
    name: 'Zero',
    goal: 'build what the user requests',
    model: recordedModel(recording),
    tools: editor(),
    maxSteps: MOST_STEPS,
    preset: recording.preset ?? 'small',
  });
  const { events, files, outcome, human } = await runRole(role, task.requests[0], {
    files: task.files ?? {},
    answers: [...(task.answers ?? []), ...Array.from({ length: 20 }, () => 'Please decide yourself.')],
  });
  for (const event of events) collector.add(event);
  return { task, role, events, files, outcome, human, measures: collector.attempted(files, 0).measures };
}

const stepsIn = (events: readonly AgentEvent[]): StepTrace[] =>
  events.flatMap((event) => (event.type === 'step-end' && event.trace.replyId !== '' ? [event.trace] : []));

/** The reply of a step with its calls, as text. */
const written = ({ calls }: StepTrace): string =>
  calls
    .map(({ reply, calls: native = [] }) =>
      [reply, ...native.map(({ name, args }) => `${name} ${args}`)].join('\n'),
    )
    .join('\n');

const factsIn = (events: readonly AgentEvent[]): RunFacts | undefined =>
  events
    .flatMap((event) => (event.type === 'run-end' && event.facts !== undefined ? [event.facts] : []))
    .at(-1);

describe('what real models wrote', () => {
  it('is there from several models, and in several forms', () => {
    const models = new Set(recordings.map(([, { model }]) => model));
    expect(models.size).toBeGreaterThanOrEqual(2);
    expect(new Set(recordings.map(([, { replyFormat }]) => replyFormat)).size).toBeGreaterThanOrEqual(2);
  });

  it.each(recordings)('%s', async (_name, recording) => {
    const { role, events, files, outcome, human, task, measures } = await replayed(recording);
    // Each run ends.
    expect(['done', 'exhausted']).toContain(outcome.status);
    // Nothing invented is run: each command, and each text in it, is in the reply of its step, or in an error that says what the same command does.
    expect(measures.invented, 'invented').toBe(0);
    const corrections = events.flatMap((event) =>
      event.type === 'command-end' && !event.ok && event.output.includes('when it is given again')
        ? [event.output]
        : [],
    );
    for (const trace of stepsIn(events)) {
      const reply = [written(trace), ...corrections].join('\n').replaceAll('_', '.');
      const own = trace.commands
        .filter(
          ({ name }) =>
            !(name === 'RoleZero.reply_to_human' || name === 'end' || name === 'RoleZero.ask_human'),
        )
        .map(({ name, args }) => ({
          name: name.replaceAll('_', '.'),
          args: JSON.parse(JSON.stringify(args).replaceAll('_', '.')) as typeof args,
        }));
      expect(
        occursInReply(reply, own, () => []),
        `${JSON.stringify(own)} in ${reply}`,
      ).toBe(true);
    }
    // No list of commands is run more than twice. In another list, a command may occur again.
    const times = new Map<string, number>();
    for (const { calls, commands: run } of stepsIn(events)) {
      const last = calls.findLast(({ purpose }) => purpose === 'think' || purpose === 'regenerate');
      const parsed = parseCommands(last?.reply ?? '');
      const list = parsed.ok ? parsed.commands.map(({ name, args }) => [name, args]) : [];
      // Users answer otherwise each time.
      const isWork = run.some(({ name }) => name !== 'end' && !name.startsWith('RoleZero.'));
      const ran = run.map(({ name, args }) => JSON.stringify([name, args]));
      const asWritten = list.map((command) => JSON.stringify(command));
      const isCorrected = ran.some(
        (command) => command.includes('replace_text') && !asWritten.includes(command),
      );
      const key = JSON.stringify(list.length > 0 && !isCorrected ? asWritten : ran);
      if (isWork) times.set(key, (times.get(key) ?? 0) + 1);
    }
    expect([...times].filter(([, count]) => count > 2)).toEqual([]);
    // No file of the user is replaced unseen.
    for (const [path, content] of Object.entries(task.files ?? {})) {
      if (files[path] === content) continue;
      const changes = stepsIn(events).flatMap(({ commands: run }) =>
        run.map(({ name, args }) => JSON.stringify([name, args])),
      );
      expect(
        changes.some((change) => change.includes(path)),
        `${path} changed`,
      ).toBe(true);
    }
    if (role.settings.guidance !== null) {
      // What the request leaves out stays as it is, and no file contains what is said about a command.
      for (const path of untouchedIn(task.requests[0])) expect(files[path], path).toBe(task.files?.[path]);
      for (const content of Object.values(files))
        expect(content).not.toMatch(/^The file \S+ has been (?:successfully created|replaced)/);
    }
    // Each claim that the user reads holds, or has the records beside it.
    const facts = factsIn(events);
    const records = `[${PROMPTS.facts.slice(0, PROMPTS.facts.indexOf(':'))}`;
    for (const message of human.replies.filter((text) => !text.includes(records)))
      expect(
        unconfirmedClaim(message, { paths: facts?.files.map(({ path }) => path) ?? [], tests: true }),
        message,
      ).toBe(null);
    expect(role.settings.preset).toBe(recording.preset ?? 'small');
  });
});
