import type { JsonValue } from '../../../src/core/json.js';
import { newId } from '../../../src/core/new-id.js';
import { commands } from '../../../src/testing/scripted-model.js';
import type { SeenRequest } from '../../fault-server/fault-server.js';
import {
  delta,
  done,
  finish,
  hold,
  refusal,
  reply,
  streaming,
  text,
  usage,
  type Reply,
} from '../../fault-server/replies.js';

/** The commands of one step. */
export type Step = readonly (readonly [name: string, args: Record<string, JsonValue>])[];

/** The model never answers. */
export const HOLD = Symbol('hold');

/** Replies in order: commands, plain text, or none. */
type Script = readonly (Step | string | typeof HOLD)[];

/** A step that answers the user and ends the turn. */
export const say = (content: string): Step => [
  ['RoleZero.reply_to_human', { content }],
  ['end', {}],
];

/** Final text of every turn. */
const SUMMARY = 'All is done.';

interface ChatRequestBody {
  model: string;
  messages: { role: string; content: string | null }[];
  response_format?: { type: string };
  tools?: { function: { name: string } }[];
  tool_choice?: string;
}

export const bodyOf = ({ body }: Pick<SeenRequest, 'body'>): ChatRequestBody => body as ChatRequestBody;

/** Returns the conversation in a request, and the commands that are given as tools, as one text. */
export const conversationOf = (request: Pick<SeenRequest, 'body'> | undefined): string =>
  request === undefined
    ? ''
    : [
        ...bodyOf(request).messages.map(({ content }) => content ?? ''),
        ...(bodyOf(request).tools ?? []).map((tool) => tool.function.name.replace('_', '.')),
      ].join('\n');

const FIXED: readonly (readonly [question: string, answer: string])[] = [['Sum up in', SUMMARY]];

const fixedAnswer = ({ messages }: ChatRequestBody): string | undefined =>
  FIXED.find(([question]) => messages.at(-1)?.content?.includes(question))?.[1];

/** Returns whether a request asks for the commands of a step. */
export const isThought = (request: Pick<SeenRequest, 'body'>): boolean =>
  fixedAnswer(bodyOf(request)) === undefined;

/** Returns the name of the calling role, from its system prompt. */
const roleOf = ({ messages }: ChatRequestBody): string =>
  /, named ([^,]+),/.exec(messages[0]?.content ?? '')?.[1] ?? '';

/**
 * A model that takes these steps in order, each once: as native calls when the request has tools, as JSON when it contains a schema,
 * otherwise as text with a code fence. Other calls (the summary) have fixed replies. A call beyond the script is
 * rejected.
 *
 * @param script Steps of the only role, or steps per role name.
 */
export function model(script: Script | Readonly<Record<string, Script>>): (request: SeenRequest) => Reply {
  const left = new Map(
    Object.entries(isScript(script) ? { '': script } : script).map(([role, steps]) => [role, [...steps]]),
  );
  return (request) => {
    const body = bodyOf(request);
    const fixed = fixedAnswer(body);
    if (fixed !== undefined) return reply(fixed);
    const step = (left.get(roleOf(body)) ?? left.get(''))?.shift();
    if (step === undefined) return refusal(400, `Not in the script: ${body.messages.at(-1)?.content}`);
    if (step === HOLD) return [hold];
    if (typeof step === 'string') return reply(step);
    if (body.tools !== undefined)
      return [streaming, ...asCalls(step), finish('tool_calls'), usage(100, 10), done];
    const whole = body.response_format?.type === 'json_schema' ? asJson(step) : commands(...step);
    const middle = Math.floor(whole.length / 2);
    const deltas = [text(whole.slice(0, middle)), text(whole.slice(middle))];
    return [streaming, ...deltas, finish(), usage(100, 10), done];
  };
}

const isScript = (script: Parameters<typeof model>[0]): script is Script => Array.isArray(script);

/** A thought and native calls, whose arguments come in two pieces. */
function asCalls(step: Step): Reply {
  const calls = step.flatMap(([name, args], index) => {
    const whole = JSON.stringify(args);
    const middle = Math.floor(whole.length / 2);
    const begun = { name: name.replaceAll('.', '_'), arguments: whole.slice(0, middle) };
    return [
      delta({ tool_calls: [{ index, id: newId(), type: 'function', function: begun }] }),
      delta({ tool_calls: [{ index, function: { arguments: whole.slice(middle) } }] }),
    ];
  });
  return [text(`I will run ${step.map(([name]) => name).join(', ')}.`), ...calls];
}

function asJson(step: Step): string {
  return JSON.stringify({
    thought: `I will run ${step.map(([name]) => name).join(', ')}.`,
    category: 'TASK',
    commands: step.map(([command_name, args]) => ({ command_name, args })),
  });
}
