import { html, nothing, type TemplateResult } from 'lit';
import type { Question } from 'rolezero';
import { markdown } from './markdown.js';

/** An open question: choices as buttons, and words of one's own. */
export function questionView(question: Question, answer: (text: string) => void): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('answer') as HTMLInputElement;
    const text = field.value.trim();
    if (text !== '') answer(text);
  };
  return html`<form class="question" role="group" aria-labelledby="question-text" @submit=${submit}>
    <span class="who">${question.role} ${question.kind === 'approval' ? 'asks for leave' : 'asks'}</span>
    <div id="question-text">${markdown(question.text)}</div>
    ${
      question.command === undefined
        ? nothing
        : html`<pre tabindex="0">
${question.command.name} ${JSON.stringify(question.command.args, null, 2)}</pre>`
    }
    ${
      question.options === undefined
        ? nothing
        : html`<div class="options">
            ${question.options.map(
              (option) =>
                html`<button type="button" class="option" @click=${() => answer(option)}>${option}</button>`,
            )}
          </div>`
    }
    ${
      question.kind === 'approval'
        ? nothing
        : html`<div class="own">
            <input
              name="answer"
              autocomplete="off"
              aria-label="Your answer"
              placeholder=${question.options === undefined ? 'Your answer' : 'Or in your own words'}
            />
            <button type="submit">Answer</button>
          </div>`
    }
  </form>`;
}
