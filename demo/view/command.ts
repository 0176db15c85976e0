import { html, nothing, type TemplateResult } from 'lit';
import { outputOf, type ShownCommand } from '../state/conversation.js';
import { icon } from './icons.js';
import { markdown } from './markdown.js';

/** The most of one text that is put on the page, in characters. */
const MAX_SHOWN = 20_000;

const STATES: Record<ShownCommand['state'], string> = {
  waiting: 'no result yet',
  running: 'running',
  ok: 'done',
  failed: 'failed',
};

/** One command as it deserves: what is said to the person as speech, the rest as a line that opens. */
export function commandView(command: ShownCommand): TemplateResult | typeof nothing {
  const name = command.name.toLowerCase();
  if (name.endsWith('reply_to_human'))
    return command.state === 'failed' ? line(command) : replyView(text(command, 'content'));
  if (name.endsWith('ask_human') && command.state !== 'failed') return exchange(command);
  if (name === 'end') return end(command);
  return line(command);
}

/** Something the agent says to the person. */
export function replyView(content: string): TemplateResult {
  return html`<div class="reply" data-entry="reply"><span class="who">Zero</span>${markdown(content)}</div>`;
}

/** A question that was answered; an open one is shown apart. */
function exchange(command: ShownCommand): TemplateResult | typeof nothing {
  if (command.state !== 'ok') return nothing;
  const answer = outputOf(command).replace(/^Human response: /, '');
  return html`<div class="exchange" data-entry="answered">
    <div class="reply"><span class="who">Zero asked</span>${markdown(text(command, 'question'))}</div>
    <div class="request"><span class="who">You answered</span>${answer}</div>
  </div>`;
}

function end(command: ShownCommand): TemplateResult {
  if (command.state === 'running')
    return html`<p class="aside"><span class="spinner"></span> Summing up…</p>`;
  if (command.state !== 'ok') return line(command);
  return html`<div class="finished" data-entry="finished">
    <span class="who">${icon('check')} Finished</span>${markdown(outputOf(command) || 'The work has ended.')}
  </div>`;
}

function line(command: ShownCommand): TemplateResult {
  const { name, state, durationMs } = command;
  const output = outputOf(command);
  return html`<details class="command ${state}" data-command=${name}>
    <summary>
      <span class="state" title=${STATES[state]}>${mark(state)}</span>
      <code>${name}</code>
      <span class="about">${about(command)}</span>
      <span class="sr">, ${STATES[state]}</span>
      ${durationMs === null ? nothing : html`<span class="duration">${duration(durationMs)}</span>`}
    </summary>
    ${Object.entries(command.args).map(
      ([key, value]) =>
        html`<div class="argument">
          <span>${key}</span>
          <pre tabindex="0">${shortened(typeof value === 'string' ? value : JSON.stringify(value))}</pre>
        </div>`,
    )}
    ${
      output === ''
        ? nothing
        : html`<div class="argument">
            <span>output</span>
            <pre tabindex="0">${shortened(output)}</pre>
          </div>`
    }
  </details>`;
}

function mark(state: ShownCommand['state']): TemplateResult {
  switch (state) {
    case 'running':
      return html`<span class="spinner"></span>`;
    case 'ok':
      return icon('check');
    case 'failed':
      return icon('cross');
    case 'waiting':
      return icon('dot');
  }
}

/** What tells one command of a name from another. */
function about({ args, state, output }: ShownCommand): string {
  if (state === 'failed') return output.split('\n').find((row) => row.trim() !== '') ?? '';
  for (const key of ['path', 'file_path', 'instruction', 'question', 'query', 'url', 'task_id']) {
    const value = args[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

function text({ args }: ShownCommand, key: string): string {
  const value = args[key];
  return typeof value === 'string' ? value : '';
}

function duration(milliseconds: number): string {
  if (milliseconds < 1) return '< 1 ms';
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

function shortened(value: string): string {
  return value.length <= MAX_SHOWN
    ? value
    : `${value.slice(0, MAX_SHOWN)}\n… ${value.length - MAX_SHOWN} more characters`;
}
