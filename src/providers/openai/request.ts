import { checkApiKey } from '../../core/api-key.js';
import { RoleZeroError, describe } from '../../core/error.js';
import type { ChatMessage, ChatRequest, ContentPart, ToolCall } from '../../core/model.js';
import { secretsIn } from '../../core/secrets.js';
import { callArguments } from '../chat-messages.js';
import { textOnly } from '../chat-messages.js';
import { LOCAL_TEMPERATURE } from '../local/defaults.js';
import { isLocal } from './base-url.js';
import type { OptionalField } from './optional-fields.js';
import type { OpenAIOptions } from './options.js';
import type { Patience } from './patience.js';

/** Returns the body of a chat completions request, without the fields that this server has rejected before. */
export function requestBody(
  request: ChatRequest,
  options: OpenAIOptions,
  refused: ReadonlySet<OptionalField>,
): Record<string, unknown> {
  const limit = Math.min(request.maxOutputTokens ?? Infinity, options.maxOutputTokens ?? Infinity);
  const body: Record<string, unknown> = {
    model: options.model,
    messages: (refused.has('user_after_tool')
      ? withoutUserAfterTool(request.messages)
      : request.messages
    ).map((message) => wireMessage(message, options.images === true)),
    stream: true,
    stream_options: { include_usage: true },
  };
  if (request.tools !== undefined && options.toolCalls) {
    body['tools'] = request.tools.map((tool) => ({ type: 'function', function: tool }));
    if (request.toolChoice === 'none') body['tool_choice'] = 'none';
    else if (options.toolCalls === 'required') body['tool_choice'] = 'required';
  }
  if (limit !== Infinity) body['max_tokens'] = limit;
  const { hostname } = new URL(options.baseURL);
  const temperature = request.temperature ?? (isLocal(hostname) ? LOCAL_TEMPERATURE : undefined);
  if (temperature !== undefined) body['temperature'] = temperature;
  if (request.reasoning !== undefined) body['reasoning_effort'] = request.reasoning;
  if (options.promptProgress === true) body['return_progress'] = true;
  if (request.seed !== undefined && options.seed === true) body['seed'] = request.seed;
  if (request.stop !== undefined && request.stop.length > 0) body['stop'] = request.stop;
  if (request.responseSchema !== undefined && options.jsonSchema === true) {
    body['response_format'] = {
      type: 'json_schema',
      json_schema: { name: 'reply', schema: request.responseSchema }, // not `strict`, which forbids optional properties
    };
  }
  Object.assign(body, options.extraBody);
  if (refused.has('max_tokens') && body['max_tokens'] !== undefined) {
    body['max_completion_tokens'] ??= body['max_tokens'];
  }
  if (refused.has('stream')) delete body['stream_options'];
  return Object.fromEntries(Object.entries(body).filter(([field]) => !isIn(refused, field)));
}

function isIn(fields: ReadonlySet<string>, field: string): boolean {
  return fields.has(field);
}

/** Adds messages of the user that follow results of tools to the last result. */
function withoutUserAfterTool(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message.role === 'user' && last?.role === 'tool')
      merged[merged.length - 1] = {
        ...last,
        content: `${textOnly(last.content)}\n\n${textOnly(message.content)}`,
      };
    else merged.push(message);
  }
  return merged;
}

function wireMessage(message: ChatMessage, images: boolean): Record<string, unknown> {
  const { role, content, toolCalls, toolCallId } = message;
  if (toolCallId !== undefined) return { role, tool_call_id: toolCallId, content: textOnly(content) };
  if (toolCalls !== undefined)
    return { role, content: textOnly(content) || null, tool_calls: toolCalls.map(wireCall) };
  if (typeof content === 'string') return { role, content };
  if (images) return { role, content: content.map(wirePart) };
  // many servers without image support do not accept a list either
  return { role, content: textOnly(content) };
}

function wireCall({ id, name, args }: ToolCall): Record<string, unknown> {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(callArguments(args)) } };
}

function wirePart(part: ContentPart): Record<string, unknown> {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return { type: 'image_url', image_url: { url: part.url } };
}

/**
 * Returns the headers of a request to `baseURL`. Adds the key to `secrets`.
 *
 * @throws RoleZeroError `invalid` for a key or a header that cannot be sent; any error of the `apiKey` function.
 */
export async function requestHeaders(
  options: Pick<OpenAIOptions, 'apiKey' | 'headers'>,
  patience: Patience,
  secrets: Set<string>,
): Promise<Headers> {
  const given: unknown = await resolveApiKey(options, patience);
  if (typeof given !== 'string')
    throw new RoleZeroError(
      'invalid',
      `The apiKey function must return a string, but returned ${given === null ? 'null' : `a value of type ${typeof given}`}.`,
    );
  const key = given.trim(); // pasted keys may end in a line break
  checkApiKey(key);
  for (const secret of secretsIn([key])) secrets.add(secret);
  try {
    const headers = new Headers(options.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    if (key !== '' && !headers.has('authorization')) headers.set('authorization', `Bearer ${key}`);
    return headers;
  } catch {
    // the platform's error contains the value
    throw new RoleZeroError('invalid', 'A name in `headers` is not a valid header name.');
  }
}

async function resolveApiKey(
  { apiKey = '' }: Pick<OpenAIOptions, 'apiKey'>,
  patience: Patience,
): Promise<string> {
  if (typeof apiKey === 'string') return apiKey;
  try {
    return await patience.during(Promise.resolve().then(apiKey));
  } catch (error) {
    if (error instanceof RoleZeroError) throw error;
    throw new RoleZeroError('model-request', `The apiKey function failed: ${describe(error)}`, {}, error);
  }
}
