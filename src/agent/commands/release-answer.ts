import type { JsonValue } from '../../core/json.js';
import * as s from '../../core/schema.js';
import { builtInTool } from '../../core/tool.js';
import { judgeRelease } from '../policy/judge.js';
import type { Checked } from '../policy/situation.js';
import { ANSWER_SENDER } from '../../core/role-command-names.js';
import type { Agent } from '../runtime/agent.js';
import { situationOf } from './authorize.js';
import { settle } from './request-approval.js';

/** The result of a run whose answer the user has not released to its sender. */
const WITHHELD = 'The user did not release the answer.';

/** As rules and approvals see an answer to a sender who is not the user. */
const answerTool = builtInTool({
  name: ANSWER_SENDER,
  approval: ({ to }) => `give this answer to ${to}`,
  description: 'Gives the answer of a request to its sender, who is not the user.',
  input: s.args({ to: s.string(), answer: s.string() }),
  effect: 'egress-write',
  replay: 'unsafe',
  onAmbiguous: 'fail',
  run: () => '',
});

/** The answer of a run, as its sender receives it. */
interface Answer {
  summary: string;
  output?: JsonValue | undefined;
}

/**
 * Returns the answer as the sender of the request may receive it. An answer that may contain private data is given to a sender who is not
 * the user only when the user releases it. The user sees the work on the page in any case.
 *
 * @throws Suspension while the user must answer.
 */
export async function releaseAnswer(agent: Agent, { summary, output }: Answer): Promise<Answer> {
  const { senders } = agent.state;
  if (senders === undefined) return { summary, output };
  const turn = agent.turn();
  const reply = turn.userReply?.text ?? '';
  const text = reply === '' ? summary : reply;
  const shown = [text, ...(output === undefined ? [] : [JSON.stringify(output)])].filter(
    (part) => part !== '',
  );
  const args = { to: senders.join(', '), answer: shown.join('\n') };
  const checked: Checked = { tool: answerTool, command: { name: answerTool.name, args }, input: args };
  const callId = `${turn.id}.answer`;
  const judgement = judgeRelease(checked, situationOf(agent));
  const about = { callId, run: agent.run, changes: [], needed: null };
  const { refusal, permission, edited } = await settle(agent, checked, judgement, about);
  if (permission !== null)
    turn.trace.commands.push({
      callId,
      ...checked.command,
      ok: refusal === null,
      durationMs: 0,
      approvedBy: permission.decision === 'ask' ? 'user' : 'policy',
      permission,
    });
  if (refusal !== null) return { summary: WITHHELD };
  return edited === undefined
    ? { summary: text, output }
    : { summary: typeof edited['answer'] === 'string' ? edited['answer'] : '' };
}
