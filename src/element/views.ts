import { html, nothing, type TemplateResult } from 'lit';
import type { Question } from '../core/human.js';
import { tellingArgument, type CommandEntry, type Entry } from './entries.js';
import { markdown } from './markdown/index.js';
import type { ChatWords } from './words.js';

/** Maximum number of characters of an input or an output. */
const MAX_SHOWN = 20_000;

export function entryView(entry: Entry, words: ChatWords): TemplateResult {
  switch (entry.kind) {
    case 'request':
      return html`<div class="request" part="request">
        <span class="hidden">${words.you}: </span>${shortened(entry.text)}
      </div>`;
    case 'reply':
      return html`<div class="reply" part="reply">${markdown(entry.text)}</div>`;
    case 'thought':
      return html`<details class="thought" part="thought" ?open=${entry.isOpen} aria-live="off">
        <summary>${words.thought}</summary>
        <p dir="auto">${shortened(entry.text)}</p>
      </details>`;
    case 'command':
      return commandView(entry, words);
    case 'error':
      return html`<p class="error" part="error" role="alert">${entry.text}</p>`;
  }
}

const MARKS = { running: '…', done: '✓', failed: '✗', denied: '⊘' };

function commandView({ name, input, state, output }: CommandEntry, words: ChatWords): TemplateResult {
  const about = tellingArgument(input);
  return html`<details class="command ${state}" part="command ${state}">
    <summary>
      <span aria-hidden="true">${MARKS[state]}</span>
      <code class="name">${name}</code>
      <bdi class="about">${about.slice(0, 200)}</bdi>
      <span class="hidden">, ${words.states[state]}</span>
    </summary>
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
