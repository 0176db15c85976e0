import { defined } from '../../core/defined.js';
import type { Permission } from '../../core/events.js';
import type { OnAmbiguous, Tool } from '../../core/tool.js';
import type { Agent } from '../runtime/agent.js';
import { askPermission, isYes } from '../runtime/ask-user.js';
import type { Checked } from '../policy/situation.js';
import type { Run } from '../runtime/outcome.js';
import { originOfResult, TRUSTED, type Origin } from './execute.js';
import { isParallelSafe, onAmbiguousOf, replayOf } from './tool-effects.js';
import type { ActStage, Attempt } from '../runtime/turn.js';

const SKIPPED =
  'It was interrupted before; it is not known whether it took effect, and it was not run again.';
/** The result of an interrupted command that is not run again. */
export const UNKNOWN =
  'It was interrupted before, and it is not known whether it took effect. Check before you run it again.';

/** The result of a command that was interrupted, known without running it again. */
interface KnownResult {
  ok: boolean;
  output: unknown;
  origin: Origin;
}

/**
 * Stores the attempt before an effect that leaves the session: its tool is not atomic. An attempt that is stored already was interrupted, and
 * whether the effect took place is unknown: the `replay` option of the tool decides.
 *
 * @returns The result to use in place of running the command; null to run it.
 */
export async function guardReplay(
  agent: Agent,
  stage: ActStage,
  checked: Checked,
  callId: string,
  run: Run,
  permission: Permission | null,
): Promise<KnownResult | null> {
  const { tool, input } = checked;
  const replay = replayOf(tool);
  if (isParallelSafe(tool)) return null; // it may run twice
  if (stage.attempt?.callId !== callId) {
    stage.attempt = { callId, retries: 0, ...defined({ permission: permission ?? undefined }) };
    await agent.commit();
    return null;
  }
  if (replay === 'idempotent' || replay === 'keyed') return null;
  if (replay === 'reconcile' && tool.reconcile !== undefined) {
    const found = await tool.reconcile(callId, input);
    if (found === null) return null;
    return { ok: true, output: found.output, origin: originOfResult(agent, checked, found.output) };
  }
  switch (await decide(agent, stage.attempt, tool, run)) {
    case 'retry':
      return null;
    case 'skip':
      return { ok: true, output: SKIPPED, origin: TRUSTED };
    case 'fail':
      return { ok: false, output: UNKNOWN, origin: TRUSTED };
  }
}

/** Decides about an attempt whose effect is unknown: by the tool, or by the user. */
async function decide(
  agent: Agent,
  attempt: Attempt,
  tool: Tool,
  run: Run,
): Promise<Exclude<OnAmbiguous, 'ask'>> {
  const policy = onAmbiguousOf(tool);
  if (policy !== 'ask') return policy;
  const { callId, retries } = attempt;
  const key = `again:${callId}${retries === 0 ? '' : `:${retries}`}`;
  const answer = await askPermission(agent, run, key, {
    kind: 'question',
    text: `${tool.name} was interrupted, and it is not known whether it took effect. Run it again?`,
    options: ['yes', 'no'],
  });
  if (answer === null || !isYes(answer)) return 'fail';
  attempt.retries += 1; // used up before the command runs: interrupted again, the user is asked again
  await agent.commit();
  return 'retry';
}
