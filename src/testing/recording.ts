import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { CallTrace, StepTrace } from '../core/events.js';
import { isRecord } from '../core/json.js';
import type { MessageData } from '../core/message.js';
import type { SessionExport, Table } from '../core/store.js';
import { USER } from '../team/routing.js';
import type { RecordedCommand, RecordedOutcome } from '../agent/runtime/context.js';
import { readRowKey } from '../agent/runtime/journal.js';
import { readState, type RoleState } from '../agent/runtime/state.js';

/** A message that the user sent to a session. */
export interface RecordedInput {
  message: MessageData;
  /** The step during which it arrived; null when no turn was in progress. */
  during: { role: string; step: number } | null;
  /** It arrived so soon after the previous one that both were read together. */
  withPrevious: boolean;
}

/** One reply of a model, with the step of its role. */
export interface RecordedReply extends CallTrace {
  step: number;
}

interface Step {
  number: number;
  trace: Pick<StepTrace, 'requirement' | 'calls' | 'answers' | 'observationId'>;
}

/**
 * Everything that entered a session from outside, read from its export: messages and answers of users, replies of models, results of
 * commands.
 */
export class Recording {
  readonly #document: SessionExport;
  readonly inputs: readonly RecordedInput[];
  readonly #steps = new Map<string, Step[]>();
  /** Messages of each role, oldest first. */
  readonly #messages = new Map<string, MessageData[]>();

  /** @throws RoleZeroError `invalid` when the session was longer than its stored record. */
  constructor(document: SessionExport) {
    this.#document = document;

    for (const { key, value } of this.#rows('steps')) {
      const { owner, number } = readRowKey(key);
      const steps = this.#ofRole(this.#steps, owner);
      if (number !== steps.length) throw incomplete('steps');
      steps.push({ number, trace: value as StepTrace });
    }
    for (const { key, value } of this.#rows('roles')) this.#takeUnfinished(key, readState(value));
    for (const table of ['memories', 'messages'] as const) {
      for (const { key, value } of this.#rows(table)) {
        const message = table === 'messages' ? value : isRecord(value) ? value['message'] : null;
        if (isRecord(message))
          this.#ofRole(this.#messages, readRowKey(key).owner).push(message as unknown as MessageData);
      }
    }
    this.inputs = this.#rows('deliveries').flatMap(({ key, value }, index) => {
      if (Number(key) !== index) throw incomplete('messages');
      const { message, recipients } = (value as { trace: { message: MessageData; recipients: string[] } })
        .trace;
      return message.sentFrom === USER ? [this.#input(message, recipients)] : [];
    });
  }

  /** Returns all replies of a role's models, in order. */
  replies(role: string): RecordedReply[] {
    return this.#stepsOf(role).flatMap(({ number, trace }) =>
      trace.calls.map((call) => ({ ...call, step: number })),
    );
  }

  /** Returns all answers that users gave a role, in order, except to questions caused by an interruption. */
  answers(role: string): string[] {
    const answers = this.#stepsOf(role).flatMap(({ trace }) => Object.entries(trace.answers));
    return answers.filter(([key]) => !key.startsWith('again:')).map(([, answer]) => answer);
  }

  /** Returns the recorded result of a command. */
  outcome({ role, step, index }: RecordedCommand): RecordedOutcome | undefined {
    const id = this.#stepsOf(role)[step]?.trace.observationId;
    const observation = this.#messages.get(role)?.find((message) => message.id === id);
    const results = observation?.metadata['results'];
    const result = Array.isArray(results) ? results[index] : null;
    if (!isRecord(result) || typeof result['output'] !== 'string') return undefined;
    const { from, composed, addresses } = result;
    return {
      ok: result['ok'] === true,
      output: result['output'],
      ...defined({
        untrusted: Array.isArray(from) ? from.map(String) : undefined,
        composed: composed === true ? composed : undefined,
        addresses: Array.isArray(addresses) ? addresses.map(String) : undefined,
      }),
    };
  }

  /** Adds the unfinished step of a role at the time of the export. */
  #takeUnfinished(role: string, { turn }: RoleState): void {
    if (turn === null) return;
    const { request, trace, answers } = turn;
    const steps = this.#ofRole(this.#steps, role);
    const requirement = request?.id ?? '';
    steps.push({
      number: steps.length,
      trace: { requirement, calls: trace.calls, answers, observationId: '' },
    });
  }

  #input(message: MessageData, recipients: readonly string[]): RecordedInput {
    const isTrigger = recipients.some((role) =>
      this.#stepsOf(role).some(({ trace }) => trace.requirement === message.id),
    );
    if (isTrigger) return { message, during: null, withPrevious: false };
    for (const role of recipients) {
      const step = this.#stepBefore(role, message.id);
      if (step !== null) return { message, during: { role, step }, withPrevious: false };
    }
    return { message, during: null, withPrevious: true };
  }

  /** Returns the step after which a role read a message during its work; null when no work came before it. */
  #stepBefore(role: string, id: string): number | null {
    const messages = this.#messages.get(role) ?? [];
    const before = messages.slice(
      0,
      Math.max(
        0,
        messages.findIndex((message) => message.id === id),
      ),
    );
    const ids = new Set(before.map((message) => message.id));
    const steps = this.#stepsOf(role);
    const step = steps.findLast(({ trace }) => ids.has(trace.observationId));
    const next = step && steps[step.number + 1];
    return next?.trace.requirement === step?.trace.requirement ? (step?.number ?? null) : null;
  }

  #stepsOf(role: string): readonly Step[] {
    return this.#steps.get(role) ?? [];
  }

  #rows(table: Table): { key: string; value: unknown }[] {
    const rows = this.#document.records.filter((record) => record.table === table);
    return rows.sort((one, other) => (one.key < other.key ? -1 : 1));
  }

  #ofRole<Item>(lists: Map<string, Item[]>, role: string): Item[] {
    const list = lists.get(role) ?? [];
    lists.set(role, list);
    return list;
  }
}

function incomplete(what: string): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    `The session is longer than its record: its first ${what} are no longer stored. Export sessions while they are short to play them back.`,
    { what },
  );
}
