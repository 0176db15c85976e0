import { html, nothing, type TemplateResult } from 'lit';
import type { Question } from 'rolezero';
import { t } from '../text/index.js';
import { isolated } from './bidi.js';
import { icon } from './icons.js';
import { markdown } from 'rolezero/element/markdown';

/** Number of lines visible at once. */
const FIT = 10;

/** An open question: options as buttons, and a text field. */
export function questionView(question: Question, answer: (text: string) => void): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('answer') as HTMLInputElement;
    const text = field.value.trim();
    if (text !== '' || question.default !== undefined) answer(text);
  };
  const isApproval = question.kind === 'approval';
  return html`<form
    class="question"
    data-question=${question.id}
    role="group"
    aria-labelledby="question-text"
    @submit=${submit}
  >
    <span class="who">${isApproval ? t.asksLeave(question.role) : t.asks(question.role)}</span>
    <div id="question-text">${markdown(isApproval ? approvalText(question) : question.text)}</div>
    ${question.details === undefined ? nothing : whatItDoes(question.details)}
    ${isApproval ? approval(answer) : choices(question.options ?? [], answer)}
    ${
      isApproval
        ? nothing
        : html`<div class="own">
            <input
              name="answer"
              autocomplete="off"
              aria-label=${t.yourAnswer}
              placeholder=${placeholder(question)}
            />
            <button type="submit">${t.answer}</button>
          </div>`
    }
  </form>`;
}

/** What a plain approval is about, in words instead of the name of the command. */
function approvalText({ text, role, command }: Question): string {
  const group = command?.name.split('.', 1)[0] ?? '';
  const words = t.mayRun[group];
  return words !== undefined && /^May \S+ run [\w.]+\?$/.test(text) ? words(role) : text;
}

/** Exactly as the library formatted it, complete and without hidden characters. */
function whatItDoes(details: string): TemplateResult {
  const lines = details.split('\n').length;
  return html`<pre tabindex="0" role="group" aria-label=${t.whatItDoes}>${isolated(details)}</pre>
    ${lines > FIT ? html`<span class="hint">${t.linesToRead(lines)}</span>` : nothing}`;
}

function placeholder({ options, default: otherwise }: Question): string {
  if (otherwise !== undefined) return t.elseThis(otherwise);
  return options === undefined ? t.yourAnswer : t.ownWords;
}

function approval(answer: (text: string) => void): TemplateResult {
  return html`<div class="options">
    <button type="button" @click=${() => answer('yes')}>${icon('check')} ${t.allow}</button>
    <button type="button" class="option" @click=${() => answer('no')}>${t.refuse}</button>
  </div>`;
}

function choices(
  options: readonly string[],
  answer: (text: string) => void,
): TemplateResult | typeof nothing {
  if (options.length === 0) return nothing;
  return html`<div class="options">
    ${options.map(
      (option) =>
        html`<button type="button" class="option" @click=${() => answer(option)}>${option}</button>`,
    )}
  </div>`;
}
