import type { ReplyFormat } from '../try/page/bridge.js';
import { plainLine } from '../try/plain-text.js';
import { CODE, KINDS, NOTHING_MEASURED, SMALL, type Cause, type Kind, type Measures } from './task.js';

/** What runs the tasks. */
export type Loop = 'rolezero' | 'ai-sdk';

/** In the order of the report. */
const LOOPS: readonly Loop[] = ['rolezero', 'ai-sdk'];

/** One run of one task. */
export interface Attempt extends Measures {
  task: string;
  kind: Kind;
  loop: Loop;
  /** Counted from 1. */
  round: number;
  solved: boolean;
  /** Null for a solved task. */
  cause: Cause | null;
  reason: string;
}

/** The totals of some attempts. */
interface Totals extends Measures {
  attempts: number;
  solved: number;
  /** Number of failures by cause. */
  causes: Partial<Record<Cause, number>>;
}

/** The report of an evaluation, as it is written to a file. */
export interface Report {
  /** Version of this format. */
  version: 1;
  model: string;
  /** Address of the server; null for a model in the browser. */
  server: string | null;
  /** Tokens, if they were given. */
  contextWindow: number | null;
  /** What was asked for; null where the model decided. */
  replyFormat: ReplyFormat | null;
  preset: 'full' | 'small' | null;
  temperature: number | null;
  /** ISO 8601. */
  startedAt: string;
  endedAt: string;
  /** Number of attempts that were wanted. */
  planned: number;
  totals: Partial<Record<Loop, Totals>>;
  attempts: readonly Attempt[];
}

function totalsOf(attempts: readonly Attempt[]): Totals {
  const totals: Totals = { attempts: attempts.length, solved: 0, causes: {}, ...NOTHING_MEASURED };
  for (const attempt of attempts) {
    totals.solved += attempt.solved ? 1 : 0;
    if (attempt.cause !== null) totals.causes[attempt.cause] = (totals.causes[attempt.cause] ?? 0) + 1;
    for (const name of Object.keys(NOTHING_MEASURED) as (keyof Measures)[]) totals[name] += attempt[name];
  }
  return totals;
}

/** Returns the totals of each loop that has attempts. */
export function totalsByLoop(attempts: readonly Attempt[]): Report['totals'] {
  const loops = LOOPS.filter((loop) => attempts.some((attempt) => attempt.loop === loop));
  return Object.fromEntries(
    loops.map((loop) => [loop, totalsOf(attempts.filter((attempt) => attempt.loop === loop))]),
  );
}

/** One line about an attempt that has ended. */
export function attemptLine(attempt: Attempt, isRepeated: boolean): string {
  const { solved, task, round, loop, cause, reason, steps, calls, ms } = attempt;
  const name = isRepeated ? `${task} (${round})` : task;
  const took = `${steps} steps, ${calls} calls, ${seconds(ms)}`;
  return `${solved ? '✓' : '✗'} ${name}, ${loop}: ${solved ? 'solved' : `${cause}`}, ${took}${solved ? '' : `\n    ${plainLine(reason, 300)}`}`;
}

const HEAD = [
  ...['solved', 'steps', 'calls', 'tokens in', 'tokens out'],
  ...['invented', 'dropped', 'repeated', 'false claims', 'first word', 'time'],
];

/** The report as text: a table for each loop, with averages per attempt, and the failures by cause. */
export function reportText({ attempts, planned, model }: Report): string {
  const parts = [`Model: ${plainLine(model, 100)}`];
  if (attempts.length < planned) parts.push(`Incomplete: ${attempts.length} of ${planned} attempts.`);
  for (const loop of LOOPS) {
    const own = attempts.filter((attempt) => attempt.loop === loop);
    if (own.length > 0) parts.push(loopText(loop, own));
  }
  return `${parts.join('\n\n')}\n`;
}

function loopText(loop: Loop, attempts: readonly Attempt[]): string {
  const kinds = [...KINDS, SMALL, CODE].filter((kind) => attempts.some((attempt) => attempt.kind === kind));
  const rows = [
    ...kinds.map((kind) => row(kind, totalsOf(attempts.filter((attempt) => attempt.kind === kind)))),
    row('all', totalsOf(attempts)),
  ];
  const table = aligned([[loop, ...HEAD], ...rows]);
  const { causes, invalidReplies, steps } = totalsOf(attempts);
  const failures = Object.entries(causes).map(([cause, count]) => {
    const tasks = attempts.filter((attempt) => attempt.cause === cause).map(({ task }) => task);
    return `  ${cause}: ${count} (${[...new Set(tasks)].join(', ')})`;
  });
  return [
    table,
    failures.length === 0 ? 'No failures.' : `Failures by cause:\n${failures.join('\n')}`,
    'Steps, calls, tokens and times are averages per task. Invented, dropped and repeated commands, and false claims, are counted.',
    `Invalid replies: ${invalidReplies} in ${steps} steps.`,
  ].join('\n');
}

function row(name: string, totals: Totals): string[] {
  const { attempts, solved, steps, calls, promptTokens, completionTokens, firstWordMs, ms } = totals;
  const average = (sum: number, digits: number) =>
    (sum / Math.max(1, attempts)).toLocaleString('en-US', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  return [
    name,
    `${solved} of ${attempts}`,
    average(steps, 1),
    average(calls, 1),
    average(promptTokens, 0),
    average(completionTokens, 0),
    String(totals.invented),
    String(totals.dropped),
    String(totals.repeated),
    String(totals.falseClaims),
    firstWordMs === 0 ? '-' : seconds(firstWordMs / Math.max(1, attempts)),
    seconds(ms / Math.max(1, attempts)),
  ];
}

/** Aligns the first column at the left and the others at the right. */
function aligned(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)));
  return rows
    .map((cells) =>
      cells
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
