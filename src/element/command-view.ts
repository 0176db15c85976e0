import { html, nothing, type TemplateResult } from 'lit';
import type { ShownCommand } from './conversation.js';
import { icon } from './icons.js';
import { isolated } from './isolated.js';
import { markdownView } from './markdown-view.js';
import { copyView } from './small-button.js';
import type { ChatWords } from './words.js';

/** Maximum number of displayed characters of a text. */
const MAX_SHOWN_CHARACTERS = 20_000;
/** In ms, the duration from which it is shown. */
const LONG = 1_000;

/** What the view of a command depends on besides itself. */
export interface CommandContext {
  words: ChatWords;
  role: string;
  /** Name above its replies; empty for none. */
  speaker: string;
  /** The role reports to the user. */
  isLeader: boolean;
  /** The conversation shows this text already. */
  isShown: (text: string) => boolean;
  /** Number of commands that failed in the last step that worked. */
  failed: number;
  /** The end of the card that closes the work; nothing for cards of earlier work. */
  result: TemplateResult | typeof nothing;
}

/** Shows replies as speech, other commands as a line that opens. */
export function commandView(command: ShownCommand, context: CommandContext): TemplateResult | typeof nothing {
  const { role, speaker, isLeader, words } = context;
  const name = command.name.toLowerCase();
  if (command.state !== 'failed') {
    if (name.endsWith('reply_to_human')) return replyView(valueText(command, 'content'), speaker, words);
    if (name.endsWith('ask_human')) return exchangeView(command, context);
    if (name.endsWith('publish_team_message'))
      return replyView(
        valueText(command, 'content'),
        words.to(role, valueText(command, 'send_to')),
        words,
        'between',
      );
  }
  if (name !== 'end') return commandLine(command, words);
  if (isLeader || command.state === 'failed') return endView(command, context);
  return command.state === 'ok'
    ? html`<p class="aside">${icon('check')} ${words.roleDone(role)}</p>`
    : nothing;
}

/** A message of an agent, which can be copied. */
export function replyView(content: string, who: string, words: ChatWords, kind = ''): TemplateResult {
  return html`<div class="reply ${kind}" part="reply" data-entry="reply">
    ${who === '' ? nothing : html`<span class="who">${who}</span>`}${markdownView(content, words)}
    <div class="actions">${copyView(content, words)}</div>
  </div>`;
}

/** An answered question; an open one is shown separately. */
function exchangeView(
  command: ShownCommand,
  { words, role }: CommandContext,
): TemplateResult | typeof nothing {
  if (command.state !== 'ok') return nothing;
  const answer = command.output.replace(/^Human response: /, '');
  return html`<div class="exchange" data-entry="answered">
    ${replyView(valueText(command, 'question'), words.asked(role), words)}
    <div class="request" part="request"><span class="who">${words.answered}</span>${answer}</div>
  </div>`;
}

function endView(command: ShownCommand, { words, isShown, failed, result }: CommandContext): TemplateResult {
  if (command.state === 'running')
    return html`<p class="aside"><span class="spinner"></span> ${words.summingUp}</p>`;
  if (command.state !== 'ok') return commandLine(command, words);
  const summary = command.output;
  const state = failed === 0 ? '' : 'with-failures';
  return html`<div class="finished ${state}" part="finished ${state}" data-entry="finished">
    <span class="who"
      >${icon(failed === 0 ? 'check' : 'warn')}
      ${failed === 0 ? words.finished : words.finishedWithFailures(failed)}</span
    >${summary === '' || isShown(summary) ? nothing : markdownView(summary, words)} ${result}
  </div>`;
}

function commandLine(command: ShownCommand, words: ChatWords): TemplateResult {
  const { name, state, durationMs, output } = command;
  return html`<details class="command ${state}" part="command ${state}" data-command=${name}>
    <summary>
      <span class="state" title=${words.states[state]}>${mark(state)}</span>
      ${actionView(words.action(name, state === 'ok'), name)}
      <span class="about">${isolated(aboutOf(command))}</span>
      ${writtenLines(command)}
      <span class="sr">, ${words.states[state]}</span>
      ${durationMs === null || durationMs < LONG ? nothing : html`<span class="duration">${secondsText(durationMs)}</span>`}
    </summary>
    <p class="name"><code>${name}</code></p>
    ${Object.entries(command.args).map(([key, value]) =>
      argumentView(key, typeof value === 'string' ? value : JSON.stringify(value), words),
    )}
    ${output === '' ? nothing : argumentView(words.output, output, words)}
  </details>`;
}

function argumentView(key: string, value: string, words: ChatWords): TemplateResult {
  return html`<div class="argument">
    <span>${key}</span>
    <pre tabindex="0" role="group" aria-label=${key}>${isolated(shortText(value, words))}</pre>
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

/** What a command does, in words; its name if it has none. */
export function actionView(action: string | undefined, name: string): TemplateResult {
  return action === undefined ? html`<code>${name}</code>` : html`<span class="words">${action}</span>`;
}

/** The number of lines that a command has written to a file. */
function writtenLines({ name, args, state }: ShownCommand): TemplateResult | typeof nothing {
  const content = args['content'];
  if (state !== 'ok' || !name.startsWith('Editor.') || typeof content !== 'string') return nothing;
  return html`<span class="lines">+${content.replace(/\n$/, '').split('\n').length}</span>`;
}

function aboutOf({ state, about, output }: ShownCommand): string {
  if (state !== 'failed') return about;
  return output.split('\n').find((row) => row.trim() !== '') ?? '';
}

function valueText({ args }: ShownCommand, key: string): string {
  const value = args[key];
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map((each) => JSON.stringify(each)).join(', ') : '';
}

function secondsText(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** The beginning of a long text, and the number of omitted characters. */
export function shortText(value: string, words: ChatWords): string {
  return value.length <= MAX_SHOWN_CHARACTERS
    ? value
    : `${value.slice(0, MAX_SHOWN_CHARACTERS)}\n${words.moreCharacters(value.length - MAX_SHOWN_CHARACTERS)}`;
}
