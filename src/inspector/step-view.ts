import { html, nothing, type TemplateResult } from 'lit';
import type { CallTrace, StepTrace } from '../core/events.js';
import type { ChatMessage, ContentPart, SentPrompt } from '../core/model.js';
import { isolated } from '../element/isolated.js';
import { type Inspected, resultsOf, type StoredResult } from './inspected-session.js';
import { costText, durationText, numberText, percentText, clockTime } from './numbers.js';
import type { InspectorWords } from './words.js';

type StepCommand = StepTrace['commands'][number];

/** What the user can do with a step. */
export interface StepActions {
  loadPrompt: (promptHash: string) => void;
  /** Null while that is not possible. */
  replay: (() => void) | null;
}

/** A step with its model calls and its commands. */
export function stepDetails(
  step: StepTrace,
  state: Inspected,
  words: InspectorWords,
  actions: StepActions,
): TemplateResult {
  const results = resultsOf(step, state.messages);
  const answers = Object.values(step.answers);
  const { replay } = actions;
  return html`<article class="step" part="step-details">
    <header>
      <h3>${stepTitle(step, words)}</h3>
      <small>${clockTime(step.startedAt)} · ${durationText(step.durationMs)}</small>
      ${
        step.replyId === ''
          ? nothing
          : html`<button
              type="button"
              part="replay"
              title=${words.replayHint}
              ?disabled=${replay === null}
              @click=${() => replay?.()}
            >
              ${words.replay}
            </button>`
      }
    </header>
    ${step.calls.map((call) => callDetails(call, state, words, actions))}
    ${step.commands.length === 0 ? nothing : html`<h4>${words.commands}</h4>`}
    ${step.commands.map((command, index) => commandDetails(command, results[index], words))}
    ${
      answers.length === 0
        ? nothing
        : html`<h4>${words.answers}</h4>
            <ul>
              ${answers.map((answer) => html`<li>${answer}</li>`)}
            </ul>`
    }
  </article>`;
}

/** The name of a step: its role, and its number from 1. */
export function stepTitle({ role, step, replyId }: StepTrace, words: InspectorWords): string {
  return `${role}, ${replyId === '' ? words.answer : words.step(step + 1)}`;
}

/** The tokens of a call, or of all calls. */
export function tokensText(
  used: Pick<CallTrace, 'promptTokens' | 'cachedPromptTokens' | 'completionTokens'>,
  words: InspectorWords,
): string {
  const { promptTokens, cachedPromptTokens, completionTokens } = used;
  return words.tokens({
    prompt: numberText(promptTokens),
    cached: numberText(cachedPromptTokens),
    completion: numberText(completionTokens),
    share: percentText(promptTokens === 0 ? 0 : cachedPromptTokens / promptTokens),
  });
}

function callDetails(
  call: CallTrace,
  { prompts }: Inspected,
  words: InspectorWords,
  { loadPrompt }: StepActions,
): TemplateResult {
  const { purpose, promptHash, reply, calls, cut, costUsd, durationMs, estimated } = call;
  const prompt = prompts.get(promptHash);
  const facts = [
    tokensText(call, words),
    ...(estimated === true ? [words.estimated] : []),
    durationText(durationMs),
    ...(costUsd === 0 ? [] : [costText(costUsd)]),
  ];
  return html`<section part="call">
    <h4>${words.purposes[purpose] ?? purpose}</h4>
    <p class="facts" part="tokens">${facts.join(' · ')}</p>
    <details
      part="prompt"
      @toggle=${(event: Event) => {
        if ((event.currentTarget as HTMLDetailsElement).open) loadPrompt(promptHash);
      }}
    >
      <summary>${words.prompt}</summary>
      ${prompt === undefined ? nothing : prompt === null ? html`<p class="facts">${words.promptGone}</p>` : promptView(prompt, words)}
    </details>
    <details part="reply" open>
      <summary>${words.reply}${cut ? ` (${words.cut})` : ''}</summary>
      <pre tabindex="0">${reply}</pre>
    </details>
    ${calls === undefined ? nothing : jsonView(words.nativeCalls, calls)}
  </section>`;
}

function commandDetails(
  { name, args, ok, durationMs, permission, isOutside }: StepCommand,
  result: StoredResult | undefined,
  words: InspectorWords,
): TemplateResult {
  const facts = [
    durationText(durationMs),
    ...(ok ? [] : [words.failed]),
    ...(isOutside === true ? [words.outside] : []),
    ...(permission === undefined ? [] : [words.decision(permission)]),
    ...(result === undefined || result.from.length === 0 ? [] : [words.untrusted(result.from)]),
  ];
  return html`<section class="command ${ok ? '' : 'failed'}" part="command">
    <p>
      <code>${name}</code>
      <small>${isolated(facts.join(' · '))}</small>
    </p>
    ${jsonView(words.arguments, args)}
    ${
      result === undefined
        ? nothing
        : html`<details>
            <summary>${words.output}</summary>
            <pre tabindex="0">${result.output}</pre>
          </details>`
    }
  </section>`;
}

/** A prompt: its settings, and its messages, of which the last one is open. */
function promptView(prompt: SentPrompt, words: InspectorWords): TemplateResult {
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
function jsonView(name: string, value: unknown): TemplateResult {
  return html`<details>
    <summary>${name}</summary>
    <pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>
  </details>`;
}
