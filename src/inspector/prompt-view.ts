import { html, nothing, type TemplateResult } from 'lit';
import type { ChatMessage, ContentPart, SentPrompt } from '../core/model.js';
import { numberText } from './numbers.js';
import type { InspectorWords } from './words.js';

/** A prompt: its settings, and its messages, of which the last one is open. */
export function promptView(prompt: SentPrompt, words: InspectorWords): TemplateResult {
  const { model, maxOutputTokens, temperature, reasoning, toolChoice, tools, responseSchema, messages } =
    prompt;
  const settings = { max_tokens: maxOutputTokens, temperature, reasoning, tool_choice: toolChoice };
  const facts = [
    model,
    ...Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`])),
    ...(tools === undefined ? [] : [words.tools(tools.length)]),
    ...(responseSchema === undefined ? [] : [words.schema]),
  ];
  return html`<p class="facts">${facts.join(' · ')}</p>
    ${messages.map((message, index) => messageView(message, index === messages.length - 1, words))}
    ${tools === undefined ? nothing : jsonView(words.tools(tools.length), tools)}
    ${responseSchema === undefined ? nothing : jsonView(words.schema, responseSchema)}`;
}

function messageView(
  { role, content, toolCalls }: ChatMessage,
  isLast: boolean,
  words: InspectorWords,
): TemplateResult {
  const parts: readonly ContentPart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const images = parts.filter(({ type }) => type === 'image').length;
  return html`<details class="message" ?open=${isLast}>
    <summary>
      <strong>${role}</strong>
      <small
        >${words.characters(numberText(text.length))}${images === 0 ? '' : ` · ${words.images(images)}`}</small
      >
    </summary>
    <pre tabindex="0">${text}</pre>
    ${toolCalls === undefined ? nothing : html`<pre tabindex="0">${JSON.stringify(toolCalls, null, 2)}</pre>`}
  </details>`;
}

/** A value that opens as JSON. */
export function jsonView(name: string, value: unknown): TemplateResult {
  return html`<details>
    <summary>${name}</summary>
    <pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>
  </details>`;
}
