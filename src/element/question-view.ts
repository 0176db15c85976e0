import { html, nothing, type TemplateResult } from 'lit';
import type { Question } from '../core/human.js';
import { isRecord, type JsonValue } from '../core/json.js';
import { icon } from './icons.js';
import { isolated } from './isolated.js';
import { markdownView } from './markdown-view.js';
import type { ChatWords } from './words.js';

/** Number of lines of a command that are visible at once. */
const FIT = 10;

/** An open question: its options as buttons, and a field for another answer. */
export function questionView(
  question: Question,
  words: ChatWords,
  answer: (text: string) => void,
): TemplateResult {
  const { id, kind, role, text, details, content = details } = question;
  const isApproval = kind === 'approval';
  const reason = words.reason(question);
  const disclosure = words.disclosure(question);
  const coverage = words.coverage(question);
  return html`<form
    class="question"
    part="question"
    data-question=${id}
    @submit=${(event: SubmitEvent) => submitAnswer(event, question, answer)}
  >
    <fieldset aria-labelledby="question-text">
      <span class="who">${isApproval ? words.asksApproval(role) : words.asks(role)}</span>
      <div id="question-text">
        ${isApproval ? html`<p>${isolated(words.approval(question))}</p>` : markdownView(text, words)}
      </div>
      ${reason === undefined ? nothing : html`<p class="reason" part="reason">${isolated(reason)}</p>`}
      ${
        disclosure === undefined
          ? nothing
          : html`<p class="disclosure" part="disclosure">${icon('warn')} ${isolated(disclosure)}</p>`
      }
      ${content === undefined ? nothing : detailsView(content, words)}
      ${coverage === undefined ? nothing : html`<p class="hint" part="coverage">${isolated(coverage)}</p>`}
      ${isApproval ? approvalView(question, words, answer) : choicesView(question, words, answer)}
    </fieldset>
  </form>`;
}

function submitAnswer(event: SubmitEvent, question: Question, answer: (text: string) => void): void {
  event.preventDefault();
  const text = new FormData(event.currentTarget as HTMLFormElement).get('answer');
  if (typeof text !== 'string' || question.kind === 'approval') return; // a key must not deny or allow
  if (text.trim() !== '' || question.default !== undefined) answer(text.trim());
}

/** The command exactly as the library formatted it, whole and without hidden characters. */
function detailsView(details: string, words: ChatWords): TemplateResult {
  const lines = details.split('\n').length;
  return html`<pre tabindex="0" role="group" aria-label=${words.details}>
${details.split('\n').map(detailsLine)}</pre>
    ${lines > FIT ? html`<span class="hint">${words.linesToRead(lines)}</span>` : nothing}`;
}

/** A line of the command; removed and added lines of files have a color. */
function detailsLine(line: string, index: number): TemplateResult {
  const kind = line.startsWith('+ ') ? 'added' : line.startsWith('- ') ? 'removed' : '';
  const text = isolated(`${index === 0 ? '' : '\n'}${line}`);
  return kind === '' ? html`${text}` : html`<span class=${kind}>${text}</span>`;
}

/** How long a yes holds, as an answer and as the text of its button: the longest first. */
function yesesOf({ choices = [] }: Question, words: ChatWords): (readonly [answer: string, text: string])[] {
  if (choices.length < 2) return [['yes', words.approve]];
  const texts = { once: words.approveOnce, run: words.approveRun, session: words.approveSession };
  return choices.map((choice) => [choice, texts[choice]] as const);
}

function approvalView(question: Question, words: ChatWords, answer: (text: string) => void): TemplateResult {
  const deny = (event: MouseEvent): void => {
    const form = (event.currentTarget as HTMLElement).closest('form');
    const reason = form === null ? null : new FormData(form).get('answer');
    answer(typeof reason === 'string' && reason.trim() !== '' ? `no: ${reason.trim()}` : 'no');
  };
  return html`<div class="options">
      ${yesesOf(question, words).map(
        ([text, label], index) =>
          html`<button
            type="button"
            class=${index === 0 ? 'main' : 'option'}
            part="approve"
            @click=${once(() => answer(text))}
          >
            ${index === 0 ? icon('check') : nothing} ${label}
          </button>`,
      )}
      <button type="button" class="option" part="deny" @click=${onceWith(deny)}>${words.deny}</button>
    </div>
    <div class="own">${answerField(words.denyReason)}</div>
    ${argumentsView(question, words, answer)}`;
}

function answerField(label: string, placeholder = label): TemplateResult {
  return html`<input
    type="text"
    name="answer"
    autocomplete="off"
    aria-label=${label}
    placeholder=${placeholder}
  />`;
}

/** Ignores the second click of a double click: it would answer the next question, which the user has not read. */
function onceWith(act: (event: MouseEvent) => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.detail < 2) act(event);
  };
}

function once(act: () => void): (event: MouseEvent) => void {
  return onceWith(() => act());
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
      ${answerField(words.yourAnswer, otherwise === undefined ? own : words.ifEmpty(otherwise))}
      <button type="submit" class="main" part="answer">${words.answer}</button>
    </div>`;
}

/** The arguments of a command in fields: the user may change them, and approve the command as it is then. */
function argumentsView(
  { command }: Question,
  words: ChatWords,
  answer: (text: string) => void,
): TemplateResult | typeof nothing {
  const entries = Object.entries(command?.args ?? {});
  if (entries.length === 0) return nothing;
  const approve = (event: MouseEvent): void => {
    if (event.detail > 1) return; // the second click of a double click
    const group = (event.currentTarget as HTMLElement).closest('details');
    const fields = [...(group?.querySelectorAll('textarea') ?? [])];
    const args = readArgumentFields(fields, entries, words.notJson);
    if (args !== null) answer(`edited ${JSON.stringify(args)}`);
  };
  return html`<details class="change-arguments" part="change-arguments">
    <summary>${words.changeArguments}</summary>
    ${entries.map(
      ([name, value]) =>
        html`<label
          ><span>${name}</span>
          <textarea
            name=${name}
            rows="1"
            part="argument"
            .value=${typeof value === 'string' ? value : JSON.stringify(value)}
            @input=${(event: Event) => (event.currentTarget as HTMLTextAreaElement).setCustomValidity('')}
          ></textarea>
        </label>`,
    )}
    <button type="button" class="option" part="approve-changed" @click=${approve}>
      ${words.approveChanged}
    </button>
  </details>`;
}

/** Returns the arguments in the fields. Null when one cannot be read, which the field then says. */
function readArgumentFields(
  fields: readonly HTMLTextAreaElement[],
  entries: readonly [name: string, value: JsonValue][],
  problem: string,
): Record<string, JsonValue> | null {
  const args: [string, JsonValue][] = [];
  for (const [index, [name, before]] of entries.entries()) {
    const field = fields[index];
    const value = field === undefined ? before : readValue(field.value, before);
    if (value === undefined) {
      field?.setCustomValidity(problem);
      field?.reportValidity();
      return null;
    }
    args.push([name, value]);
  }
  return Object.fromEntries(args);
}

/** Returns a value of the same kind as before; undefined when the text has none. */
function readValue(text: string, before: JsonValue): JsonValue | undefined {
  if (typeof before === 'string') return text;
  try {
    const value = JSON.parse(text) as JsonValue;
    return valueKind(value) === valueKind(before) ? value : undefined;
  } catch {
    return undefined;
  }
}

function valueKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'list';
  return isRecord(value) ? 'object' : typeof value;
}
