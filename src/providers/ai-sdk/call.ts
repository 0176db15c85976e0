import { defined } from '../../core/defined.js';
import type { ChatMessage, ChatRequest, ContentPart } from '../../core/model.js';
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
  const { temperature, seed, stop, responseSchema } = request;
  return {
    prompt: request.messages.map((message) => promptMessage(message, model, options.images === true)),
    abortSignal,
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

/** Converts a message. A system message becomes a string, any other a list of parts. */
function promptMessage(
  { role, content }: ChatMessage,
  model: AiSdkModel,
  images: boolean,
): { role: string; content: unknown } {
  const parts: ContentPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const texts = parts.map((part) => (part.type === 'text' ? part.text : IMAGE_NOTE));
  if (role === 'system') return { role, content: texts.join('\n') };
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
