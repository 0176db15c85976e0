import type { Attempt } from './report.js';
import type { RecordedCall, Task } from './task.js';

/** Returns an attempt as a readable text: the requests of the task, then each call to the model with what was new in it, and the reply. */
export function transcriptOf(attempt: Attempt, { requests }: Task, calls: readonly RecordedCall[]): string {
  const { task, loop, solved, cause, reason, steps } = attempt;
  const result = solved ? 'solved' : `failed, ${cause}: ${reason}`;
  return [
    `# ${task}, ${loop}`,
    `Result: ${result}`,
    `${steps} steps, ${calls.length} calls, ${seconds(attempt.ms)}`,
    ...requests.map((request) => `> ${request.replaceAll('\n', '\n> ')}`),
    ...calls.map((call, at) => callText(call, at, calls[at - 1])),
  ]
    .join('\n\n')
    .concat('\n');
}

function callText(call: RecordedCall, at: number, before: RecordedCall | undefined): string {
  const { purpose, messages, reply, promptTokens, completionTokens, ms } = call;
  const known = sharedLength(before, call);
  const added = messages.slice(known).map(({ role, content }) => `### ${role}\n\n${quoted(content)}`);
  const took = `${seconds(ms)}, ${promptTokens} tokens in, ${completionTokens} out`;
  return [`## Call ${at + 1}: ${purpose}, ${took}`, ...added, `### Reply\n\n${quoted(reply)}`].join('\n\n');
}

/** Returns how many messages a call has in common with the one before, whose reply counts as a message. */
function sharedLength(before: RecordedCall | undefined, { messages }: RecordedCall): number {
  if (before === undefined) return 0;
  const known = [...before.messages, { role: 'assistant', content: before.reply }];
  const differs = messages.findIndex(
    ({ role, content }, at) => known[at]?.role !== role || known[at].content !== content,
  );
  return differs < 0 ? messages.length : differs;
}

/** Encloses a text in a fence that is longer than those in it. */
function quoted(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/gu)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
