import { defined } from '../../core/defined.js';
import type { ChatMessage, ChatRequest, ContentPart } from '../../core/model.js';
import { callArguments } from '../call-arguments.js';
import { IMAGE_NOTE } from '../text-only.js';
import type { AiSdkCall, AiSdkModel, FromAiSdkOptions } from './options.js';

/** Converts a request to the call options of AI SDK models. */
export function callOptions(
  request: ChatRequest,
  model: AiSdkModel,
  options: FromAiSdkOptions,
  abortSignal: AbortSignal,
): AiSdkCall {
  const limit = Math.min(request.maxOutputTokens ?? Infinity, options.maxOutputTokens ?? Infinity);
  const { temperature, seed, stop, responseSchema, messages, tools, toolChoice } = request;
  const names = new Map(
    messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, name }) => [id, name])),
  );
  return {
    prompt: messages.map((message) => promptMessage(message, model, options.images === true, names)),
    abortSignal,
    ...(tools !== undefined &&
      options.toolCalls && {
        tools: tools.map(({ name, description, parameters }) => ({
          type: 'function' as const,
          name,
          description,
          inputSchema: parameters,
        })),
        toolChoice: { type: choiceOf(toolChoice, options) },
      }),
    ...defined({
      maxOutputTokens: limit === Infinity ? undefined : limit,
      temperature,
      seed: options.seed === true ? seed : undefined,
      stopSequences: stop?.length ? stop : undefined,
      responseFormat:
        responseSchema !== undefined && options.jsonSchema === true
          ? { type: 'json' as const, name: 'reply', schema: responseSchema }
          : undefined,
      headers: options.headers,
      providerOptions: options.providerOptions,
    }),
  };
}

function choiceOf(
  choice: ChatRequest['toolChoice'],
  { toolCalls }: FromAiSdkOptions,
): 'auto' | 'none' | 'required' {
  if (choice === 'none') return 'none';
  return toolCalls === 'required' ? 'required' : 'auto';
}

/** Converts a message. A system message becomes a string, any other a list of parts. */
function promptMessage(
  { role, content, toolCalls, toolCallId }: ChatMessage,
  model: AiSdkModel,
  images: boolean,
  names: ReadonlyMap<string, string>,
): { role: string; content: unknown } {
  const parts: ContentPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const texts = parts.map((part) => (part.type === 'text' ? part.text : IMAGE_NOTE));
  if (role === 'system') return { role, content: texts.join('\n') };
  if (toolCallId !== undefined) {
    const output = { type: 'text', value: texts.join('\n') };
    const toolName = names.get(toolCallId) ?? '';
    return { role, content: [{ type: 'tool-result', toolCallId, toolName, output }] };
  }
  if (toolCalls !== undefined)
    return {
      role,
      content: [
        ...texts.filter((text) => text !== '').map((text) => ({ type: 'text', text })),
        ...toolCalls.map(({ id, name, args }) => ({
          type: 'tool-call',
          toolCallId: id,
          toolName: name,
          input: callArguments(args),
        })),
      ],
    };
  return {
    role,
    content: parts.map((part, index) =>
      part.type === 'image' && images
        ? filePart(part.url, model.specificationVersion)
        : { type: 'text', text: texts[index] },
    ),
  };
}

/** Converts an image. From version 4 on, the data carries a type tag. */
function filePart(url: string, version: string): object {
  const tagged = version !== 'v2' && version !== 'v3';
  const inline = /^data:([^;,]*)[^,]*;base64,/.exec(url);
  if (inline === null) {
    const data = new URL(url);
    return { type: 'file', mediaType: 'image/*', data: tagged ? { type: 'url', url: data } : data };
  }
  const data = url.slice(inline[0].length);
  return { type: 'file', mediaType: inline[1] || 'image/*', data: tagged ? { type: 'data', data } : data };
}
