/** Combinations of turn fields that must not compile. `tsc` reports a line that begins to compile. Nothing here is run. */
import type { Ending, Stage, Turn } from '../../src/agent/runtime/turn.js';

declare const turn: Turn;
declare const act: Extract<Stage, { name: 'act' }>;
const { commands } = act;

export const stages: Stage[] = [
  // @ts-expect-error -- only a stage that runs commands has commands
  { name: 'think', unreadableReplies: 0, commands },
  // @ts-expect-error -- a turn that asks for commands counts the replies that could not be read
  { name: 'think' },
  // @ts-expect-error -- a request that was not classified has no ending
  { name: 'classify', ending: { kind: 'exhausted' } },
  // @ts-expect-error -- a turn does not finish without an ending
  { name: 'finish' },
  // @ts-expect-error -- results belong to commands
  { name: 'act', results: [], attempt: null, isStopped: false, ending: null },
  {
    ...act,
    // @ts-expect-error -- commands cannot answer a request at once: that is decided before
    ending: { kind: 'answered', answer: '' },
  },
  // @ts-expect-error -- there is no such stage
  { name: 'waiting' },
];

export const endings: Ending[] = [
  // @ts-expect-error -- only a turn that has ended has a summary
  { kind: 'paused', summary: '' },
  // @ts-expect-error -- a direct answer has its text
  { kind: 'answered' },
];

export function read(): unknown[] {
  const { stage } = turn;
  return [
    // @ts-expect-error -- which fields there are depends on the stage
    stage.commands,
    // @ts-expect-error -- an attempt is part of the stage that runs commands
    turn.attempt,
    stage.name === 'act' ? stage.attempt?.callId : stage.name === 'finish' ? stage.ending.kind : null,
  ];
}
