import { html, nothing, type TemplateResult } from 'lit';
import type { Question } from '../core/human.js';
import { isRecord, type JsonValue } from '../core/json.js';
import type { ChatWords } from './words.js';

/** The arguments of a command in fields: the user may change them, and approve the command as it is then. */
export function argumentsView(
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
    const args = readArguments(fields, entries, words.notJson);
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
function readArguments(
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
    return kindOf(value) === kindOf(before) ? value : undefined;
  } catch {
    return undefined;
  }
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'list';
  return isRecord(value) ? 'object' : typeof value;
}
