import { html, nothing, type TemplateResult } from 'lit';
import type { Question } from '../core/human.js';
import { icon } from './icons.js';
import { isolated } from './isolated.js';
import { markdown } from './markdown/index.js';
import type { ChatWords } from './words.js';

/** Number of lines of a command that are visible at once. */
const FIT = 10;

/** An open question: its options as buttons, and a field for another answer. */
export function questionView(
  question: Question,
  words: ChatWords,
  answer: (text: string) => void,
): TemplateResult {
  const { id, kind, role, text, details } = question;
  const isApproval = kind === 'approval';
  return html`<form
    class="question"
    part="question"
    data-question=${id}
    @submit=${(event: SubmitEvent) => submitAnswer(event, question, answer)}
  >
    <fieldset aria-labelledby="question-text">
      <span class="who">${isApproval ? words.asksApproval(role) : words.asks(role)}</span>
      <div id="question-text">${markdown(isApproval ? words.approval(question) : text)}</div>
      ${details === undefined ? nothing : detailsView(details, words)}
      ${isApproval ? approvalView(words, answer) : choicesView(question, words, answer)}
    </fieldset>
  </form>`;
}

function submitAnswer(event: SubmitEvent, question: Question, answer: (text: string) => void): void {
  event.preventDefault();
  const text = new FormData(event.currentTarget as HTMLFormElement).get('answer');
  if (typeof text !== 'string') return;
  if (text.trim() !== '' || question.default !== undefined) answer(text.trim());
}

/** The command exactly as the library formatted it, whole and without hidden characters. */
function detailsView(details: string, words: ChatWords): TemplateResult {
  const lines = details.split('\n').length;
  return html`<pre tabindex="0" role="group" aria-label=${words.details}>${isolated(details)}</pre>
    ${lines > FIT ? html`<span class="hint">${words.linesToRead(lines)}</span>` : nothing}`;
}

function approvalView(words: ChatWords, answer: (text: string) => void): TemplateResult {
  return html`<div class="options">
    <button type="button" class="main" part="approve" @click=${once(() => answer('yes'))}>
      ${icon('check')} ${words.approve}
    </button>
    <button type="button" class="option" part="deny" @click=${once(() => answer('no'))}>${words.deny}</button>
  </div>`;
}

/** Ignores the second click of a double click: it would answer the next question, which the user has not read. */
function once(act: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail < 2) act();
  };
}

function choicesView(
  { options = [], default: otherwise }: Question,
  words: ChatWords,
  answer: (text: string) => void,
): TemplateResult {
  const own = options.length === 0 ? words.yourAnswer : words.ownAnswer;
  return html`${
      options.length === 0
        ? nothing
        : html`<div class="options">
            ${options.map(
              (option) =>
                html`<button type="button" class="option" part="option" @click=${once(() => answer(option))}>
                  ${option}
                </button>`,
            )}
          </div>`
    }
    <div class="own">
      <input
        type="text"
        name="answer"
        autocomplete="off"
        aria-label=${words.yourAnswer}
        placeholder=${otherwise === undefined ? own : words.ifEmpty(otherwise)}
      />
      <button type="submit" class="main" part="answer">${words.answer}</button>
    </div>`;
}
