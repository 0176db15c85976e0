import { html, nothing, type TemplateResult } from 'lit';
import type { Question } from '../core/human.js';
import { asksUser } from '../ai-sdk-ui/ui-message.js';
import { isRecord } from '../core/json.js';
import type { CommandEntry, Entry } from './entries.js';
import { markdown } from './markdown/index.js';
import type { ChatWords } from './words.js';

/** Maximum number of characters of an input or an output. */
const MAX_SHOWN = 20_000;

export function entryView(entry: Entry, words: ChatWords): TemplateResult | typeof nothing {
  switch (entry.kind) {
    case 'request':
      return requestView(entry.text, words);
    case 'reply':
      return replyView(entry.text);
    case 'thought':
      return html`<details class="thought" part="thought" ?open=${entry.isOpen} aria-live="off">
        <summary>${words.thought}</summary>
        <p dir="auto">${shortened(entry.text)}</p>
      </details>`;
    case 'command':
      return asksUser(entry.name) ? exchangeView(entry, words) : commandView(entry, words);
    case 'error':
      return html`<p class="error" part="error" role="alert">${entry.text}</p>`;
  }
}

const MARKS = { running: '…', done: '✓', failed: '✗', denied: '⊘' };

function requestView(text: string, words: ChatWords): TemplateResult {
  return html`<div class="request" part="request">
    <span class="hidden">${words.you}: </span><span class="request-text" dir="auto">${shortened(text)}</span>
  </div>`;
}

/** An answered question of the agent; an open one has a form. */
function exchangeView(
  { input, state, output }: CommandEntry,
  words: ChatWords,
): TemplateResult | typeof nothing {
  if (state === 'running') return nothing;
  const question = isRecord(input) ? input['question'] : undefined;
  return html`${typeof question === 'string' ? replyView(question) : nothing}
  ${requestView(output.replace(/^.*?Human response: /s, ''), words)}`;
}

function replyView(text: string): TemplateResult {
  return html`<div class="reply" part="reply">${markdown(text)}</div>`;
}

function commandView({ name, input, state, output }: CommandEntry, words: ChatWords): TemplateResult {
  return html`<details class="command ${state}" part="command ${state}">
    <summary>
      <span aria-hidden="true">${MARKS[state]}</span>
      <bdi>${words.command(name, isRecord(input) ? input : {})}</bdi>
      <span class="hidden">, ${words.states[state]}</span>
    </summary>
    <code class="name">${name}</code>
    ${block(words.input, JSON.stringify(input ?? {}, null, 2))}
    ${output === '' ? nothing : block(words.output, output)}
  </details>`;
}

function block(name: string, text: string): TemplateResult {
  return html`<pre tabindex="0" role="group" aria-label=${name}><bdi>${shortened(text)}</bdi></pre>`;
}

function shortened(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (+${text.length - MAX_SHOWN})`;
}

/** An open question: buttons for its options, and a field for another answer. */
export function questionView(
  question: Question,
  words: ChatWords,
  answer: (text: string) => void,
): TemplateResult {
  const { kind, role, text, details } = question;
  const isApproval = kind === 'approval';
  return html`<form
    class="question"
    part="question"
    aria-label=${isApproval ? words.asksApproval(role) : words.asks(role)}
    @submit=${(event: SubmitEvent) => submitAnswer(event, question, answer)}
  >
    <div>${markdown(text)}</div>
    ${details === undefined ? nothing : block(words.input, details)}
    ${isApproval ? approval(words, answer) : choices(question, words, answer)}
  </form>`;
}

function submitAnswer(event: SubmitEvent, question: Question, answer: (text: string) => void): void {
  event.preventDefault();
  const text = new FormData(event.currentTarget as HTMLFormElement).get('answer');
  if (typeof text !== 'string') return;
  if (text.trim() !== '' || question.default !== undefined) answer(text.trim());
}

function approval(words: ChatWords, answer: (text: string) => void): TemplateResult {
  return html`<div class="row">
    <button type="button" class="main" part="approve" @click=${() => answer('yes')}>${words.approve}</button>
    <button type="button" part="deny" @click=${() => answer('no')}>${words.deny}</button>
  </div>`;
}

function choices(
  { options = [], default: otherwise }: Question,
  words: ChatWords,
  answer: (text: string) => void,
): TemplateResult {
  return html`${
      options.length === 0
        ? nothing
        : html`<div class="row">
            ${options.map(
              (option) =>
                html`<button type="button" part="option" @click=${() => answer(option)}>${option}</button>`,
            )}
          </div>`
    }
    <div class="row">
      <input
        type="text"
        name="answer"
        autocomplete="off"
        aria-label=${words.yourAnswer}
        placeholder=${otherwise ?? words.yourAnswer}
      />
      <button type="submit" part="answer">${words.answer}</button>
    </div>`;
}
