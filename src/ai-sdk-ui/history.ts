import { requestText } from '../core/envelope.js';
import type { PlanData } from '../core/events.js';
import { isRecord } from '../core/json.js';
import type { Question } from '../core/human.js';
import type { QueuedRequest } from '../core/queue.js';
import { commandsIn, type MessageData } from '../core/message.js';
import { executed } from './event-chunks.js';
import { isToolPart, type ToolPart } from './tool-calls.js';
import { asksUser, HIDDEN, type SessionPart, type SessionUIMessage } from './ui-message.js';

/** Causes of messages, as sessions store them. */
const REQUEST = 'UserRequirement';
const COMMANDS_CAUSE = 'RunCommand';
const ANSWER_CAUSE = 'QuickThink';

/** Returns whether a stored message is a request of the user. */
export function isRequest({ role, causeBy }: MessageData): boolean {
  return role === 'user' && causeBy === REQUEST;
}

/** Returns the stored messages of a role as messages of a chat: requests of the user, each with its response. */
export function storedChat(messages: readonly MessageData[]): SessionUIMessage[] {
  const chat: SessionUIMessage[] = [];
  let step: (ToolPart | null)[] = [];
  const response = (id: string): SessionPart[] => {
    const last = chat.at(-1);
    if (last?.role === 'assistant') return last.parts;
    const parts: SessionPart[] = [];
    chat.push({ id: responseId(last?.id ?? id), role: 'assistant', parts });
    return parts;
  };
  for (const message of messages) {
    const { id, role, causeBy, content, metadata } = message;
    if (isRequest(message)) {
      chat.push({ id, role: 'user', parts: [textPart(requestText(content))] });
      step = [];
    } else if (
      role === 'assistant' &&
      causeBy === COMMANDS_CAUSE &&
      typeof metadata['thought'] === 'string'
    ) {
      step = commandParts(message);
      response(id).push(...stepParts(message, metadata['thought'], step));
    } else if (role === 'assistant' && (causeBy === COMMANDS_CAUSE || causeBy === ANSWER_CAUSE)) {
      addText(response(id), content);
    } else if (role === 'user' && causeBy === COMMANDS_CAUSE) addOutputs(step, metadata['results']);
  }
  return chat;
}

/** Id of the response to a request, while it streams in and after a reload. */
export function responseId(requestId: string): string {
  return `response-${requestId}`;
}

/** Returns the requests that no role has read yet as messages of a chat. */
export function queuedMessages(
  queued: readonly QueuedRequest[],
  chat: readonly SessionUIMessage[],
): SessionUIMessage[] {
  return queued
    .filter(({ messageId }) => !chat.some(({ id }) => id === messageId))
    .map(({ messageId: id, content }) => ({ id, role: 'user', parts: [textPart(content)] }));
}

/** Adds the open question, and the plan, to the last response. */
export function addState(
  chat: SessionUIMessage[],
  { question, plan }: { question: Question | null; plan: PlanData },
): void {
  const last = chat.at(-1);
  if (last === undefined) return;
  const parts = last.role === 'assistant' ? last.parts : [];
  if (plan.tasks.length > 0 && last.role === 'assistant')
    parts.push({ type: 'data-plan', data: { ...plan, role: '' } });
  if (question === null) return;
  if (last.role !== 'assistant') chat.push({ id: responseId(last.id), role: 'assistant', parts });
  const part = partOf(question, parts);
  parts.push({ type: 'data-question', id: question.id, data: { ...question, toolCallId: part.toolCallId } });
  if (question.kind === 'approval')
    Object.assign(part, { state: 'approval-requested', approval: { id: question.id } });
}

/** Returns the tool part that a question is about; adds one when it is not in the stored messages. */
function partOf({ id, kind, command, text: words, options }: Question, parts: SessionPart[]): ToolPart {
  const isAsked = (name: string): boolean => (kind === 'question' ? asksUser(name) : name === command?.name);
  const known = parts.findLast(
    (part): part is ToolPart =>
      isToolPart(part) && part.state === 'input-available' && isAsked(part.toolName),
  );
  if (known !== undefined) return known;
  const name = kind === 'question' ? 'RoleZero.ask_human' : (command?.name ?? 'command');
  const input = kind === 'question' ? { question: words, options } : command?.args;
  const added = toolPart(id, name, input);
  parts.push(added);
  return added;
}

function textPart(words: string): Extract<SessionPart, { type: 'text' }> {
  return { type: 'text', text: words, state: 'done' };
}

/** Adds a text unless the response ends with it: a report repeats the reply to the user. */
function addText(parts: SessionPart[], words: string): void {
  const last = parts.at(-1);
  if (words.trim() !== '' && !(last?.type === 'text' && last.text.trim() === words.trim()))
    parts.push(textPart(words));
}

/** Returns the tool part of each command of a reply; null for those without one. */
function commandParts(reply: MessageData): (ToolPart | null)[] {
  return commandsIn(reply).map(({ name, args }, index) => {
    if (typeof name !== 'string' || HIDDEN.has(name)) return null;
    return toolPart(`${reply.id}.${index}`, name, args);
  });
}

function toolPart(toolCallId: string, toolName: string, input: unknown): ToolPart {
  return {
    type: 'dynamic-tool',
    toolCallId,
    toolName,
    state: 'input-available',
    input,
    ...executed(toolName),
  };
}

function stepParts(reply: MessageData, thought: string, tools: readonly (ToolPart | null)[]): SessionPart[] {
  const parts: SessionPart[] = [{ type: 'step-start' }];
  if (thought !== '') parts.push({ type: 'reasoning', text: thought, state: 'done' });
  for (const [index, command] of commandsIn(reply).entries()) {
    const tool = tools[index] ?? null;
    const args = isRecord(command['args']) ? command['args'] : {};
    if (tool !== null) parts.push(tool);
    else if (typeof args['content'] === 'string') addText(parts, args['content']);
  }
  return parts;
}

/** Adds the results of a step to its tool parts. Commands after a failure have none. */
function addOutputs(step: readonly (ToolPart | null)[], results: unknown): void {
  for (const [index, part] of step.entries()) {
    const result: unknown = Array.isArray(results) ? results[index] : undefined;
    if (part === null) continue;
    const { ok, output } = isRecord(result) ? result : { ok: false, output: 'Not run.' };
    Object.assign(
      part,
      ok === true
        ? { state: 'output-available', output }
        : { state: 'output-error', errorText: String(output) },
    );
  }
}
