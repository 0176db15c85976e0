import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { readOnlyReason } from '../state/read-only.js';
import type { ShellControl } from '../shell-control.js';
import { t } from '../text/index.js';
import { emptyView } from './icons.js';
import { readOnlyHint } from './notice.js';

/** Shell commands of the agent and the user, and the user's next command. */
export function terminalView(state: State, app: App): TemplateResult {
  return html`
    <div class="shell" role="log" aria-label=${t.terminalOutput} tabindex="0">
      ${state.shell.length === 0 ? emptyView('terminal', t.terminalHint) : nothing}
      ${state.shell.map(
        ({ by, command, output, running }) =>
          html`<div class="line ${by}">
            <p class="prompt"><span>${by === 'agent' ? t.agent : t.you} $</span> ${command}</p>
            ${output === '' ? nothing : html`<pre>${app.shell.output(output)}</pre>`}
            ${running ? html`<span class="spinner"></span>` : nothing}
          </div>`,
      )}
    </div>
    ${readOnlyReason(state) === null ? promptLine(state, app) : readOnlyHint(state)}
  `;
}

/** The field for the user's next command. */
function promptLine({ session }: State, { shell }: App): TemplateResult {
  return html`
    <form
      class="prompt-line"
      @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        const field = (event.currentTarget as HTMLFormElement).elements.namedItem('cmd') as HTMLInputElement;
        const command = field.value.trim();
        if (command === '') return;
        field.value = '';
        void shell.run(command);
      }}
    >
      <code>${shell.directory} $</code>
      <input
        name="cmd"
        aria-label=${t.command}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        ?disabled=${session === null}
        @keydown=${(event: KeyboardEvent) => recall(event, shell)}
      />
      ${
        shell.isRunning
          ? html`<button type="button" class="stop small" @click=${() => shell.stop()}>${t.stop}</button>`
          : html`<button type="submit" class="quiet framed small" ?disabled=${session === null}>
              ${t.run}
            </button>`
      }
    </form>
  `;
}

/** Arrow keys fill in earlier commands, as in other shells. */
function recall(event: KeyboardEvent, shell: ShellControl): void {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  const command = shell.recall(event.key === 'ArrowUp' ? 1 : -1);
  event.preventDefault();
  if (command === null) return;
  const field = event.currentTarget as HTMLInputElement;
  field.value = command;
  field.setSelectionRange(command.length, command.length);
}
