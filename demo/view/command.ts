import { html, nothing, type TemplateResult } from 'lit';
import { outputOf, type ShownCommand } from '../state/conversation.js';
import { tellingArgument } from '../state/writing.js';
import { t } from '../text/index.js';
import { isolated } from './bidi.js';
import { icon } from './icons.js';
import { markdown } from 'rolezero/element/markdown';

/** Maximum number of displayed characters of a text. */
const MAX_SHOWN = 20_000;
/** In ms, the duration from which it is shown. */
const LONG = 1_000;

/**
 * Shows replies as speech, other commands as a line that opens. `isShown`: the
 * conversation shows this text already. `isLeader`: the role reports to the user.
 */
export function commandView(
  command: ShownCommand,
  role: string,
  { isShown, isLeader }: { isShown: (text: string) => boolean; isLeader: boolean },
): TemplateResult | typeof nothing {
  const name = command.name.toLowerCase();
  if (command.state !== 'failed') {
    if (name.endsWith('reply_to_human')) return replyView(text(command, 'content'), role);
    if (name.endsWith('ask_human')) return exchange(command, role);
    if (name.endsWith('publish_team_message'))
      return replyView(text(command, 'content'), t.to(role, text(command, 'send_to')), 'between');
  }
  if (name === 'end')
    return isLeader || command.state === 'failed' ? end(command, isShown) : roleDone(command, role);
  return line(command);
}

/** A message of an agent. */
export function replyView(content: string, who: string, kind = ''): TemplateResult {
  return html`<div class="reply ${kind}" data-entry="reply">
    <span class="who">${who}</span>${markdown(content)}
  </div>`;
}

/** An answered question; an open one is shown separately. */
function exchange(command: ShownCommand, role: string): TemplateResult | typeof nothing {
  if (command.state !== 'ok') return nothing;
  const answer = outputOf(command).replace(/^Human response: /, '');
  return html`<div class="exchange" data-entry="answered">
    <div class="reply"><span class="who">${t.asked(role)}</span>${markdown(text(command, 'question'))}</div>
    <div class="request"><span class="who">${t.answered}</span>${answer}</div>
  </div>`;
}

function end(command: ShownCommand, isShown: (text: string) => boolean): TemplateResult {
  if (command.state === 'running')
    return html`<p class="aside"><span class="spinner"></span> ${t.summingUp}</p>`;
  if (command.state !== 'ok') return line(command);
  const summary = outputOf(command);
  return html`<div class="finished" data-entry="finished">
    <span class="who">${icon('check')} ${t.finished}</span
    >${summary === '' || isShown(summary) ? nothing : markdown(summary)}
  </div>`;
}

/** A role that works for another has done its part; the run continues. */
function roleDone({ state }: ShownCommand, role: string): TemplateResult | typeof nothing {
  return state === 'ok' ? html`<p class="aside">${icon('check')} ${t.roleDone(role)}</p>` : nothing;
}

function line(command: ShownCommand): TemplateResult {
  const { name, state, durationMs } = command;
  const output = outputOf(command);
  return html`<details class="command ${state}" data-command=${name}>
    <summary>
      <span class="state" title=${t.states[state]}>${mark(state)}</span>
      ${commandWords(name, state === 'ok')}
      <span class="about">${isolated(about(command))}</span>
      ${writtenLines(command)}
      <span class="sr">, ${t.states[state]}</span>
      ${durationMs === null || durationMs < LONG ? nothing : html`<span class="duration">${duration(durationMs)}</span>`}
    </summary>
    <p class="name"><code>${name}</code></p>
    ${Object.entries(command.args).map(([key, value]) =>
      argument(key, typeof value === 'string' ? value : JSON.stringify(value)),
    )}
    ${output === '' ? nothing : argument(t.output, output)}
  </details>`;
}

function argument(key: string, value: string): TemplateResult {
  return html`<div class="argument">
    <span>${key}</span>
    <pre tabindex="0" role="group" aria-label=${key}>${isolated(shortened(value))}</pre>
  </div>`;
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

/** What a command does, in words; the name of one that has none. */
export function commandWords(name: string, isDone: boolean): TemplateResult {
  const words = t.rows[name];
  return words === undefined
    ? html`<code>${name}</code>`
    : html`<span class="words">${words[isDone ? 1 : 0]}</span>`;
}

/** The number of lines that a command has written to a file. */
function writtenLines({ name, args, state }: ShownCommand): TemplateResult | typeof nothing {
  const content = args['content'];
  if (state !== 'ok' || !name.startsWith('Editor.') || typeof content !== 'string') return nothing;
  return html`<span class="lines">+${content.replace(/\n$/, '').split('\n').length}</span>`;
}

function about(command: ShownCommand): string {
  if (command.state !== 'failed') return tellingArgument(command.args);
  return (
    outputOf(command)
      .split('\n')
      .find((row) => row.trim() !== '') ?? ''
  );
}

function text({ args }: ShownCommand, key: string): string {
  const value = args[key];
  return typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map((each) => JSON.stringify(each)).join(', ')
      : '';
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1) return '< 1 ms';
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** The beginning of a long text, and the number of omitted characters. */
export function shortened(value: string): string {
  return value.length <= MAX_SHOWN
    ? value
    : `${value.slice(0, MAX_SHOWN)}\n${t.moreCharacters(value.length - MAX_SHOWN)}`;
}
