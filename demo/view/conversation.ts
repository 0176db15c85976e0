import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { adviceFor } from '../state/advice.js';
import { splitReply, type Conversation, type Entry, type Live } from '../state/conversation.js';
import { commandView, replyView } from './command.js';
import { icon } from './icons.js';

/** The newest entries are shown; the rest when asked for. */
const MOST_ENTRIES = 300;
/** The end of what is being written is what people watch; characters. */
const LIVE_TAIL = 1_500;

/** What was said and done, oldest first, and what is being written at the end. */
export function conversationView({ entries, live }: Conversation): TemplateResult {
  const hidden = Math.max(0, entries.length - MOST_ENTRIES);
  return html`
    ${hidden === 0 ? nothing : html`<p class="aside">${hidden} earlier entries are kept and not shown here.</p>`}
    ${entries.slice(hidden).map((entry, index, { length }) => {
      const isLast = index === length - 1;
      return guard([entry, isLast], () => entryView(entry, isLast));
    })}
    ${live === null ? nothing : liveView(live)}
  `;
}

function entryView(entry: Entry, isLast: boolean): TemplateResult {
  switch (entry.kind) {
    case 'request':
      return html`<div class="request" data-entry="request"><span class="who">You</span>${entry.text}</div>`;
    case 'reply':
      return replyView(entry.text);
    case 'notice':
      return noticeView(entry.tone, entry.code, entry.text);
    case 'step':
      return html`<section class="step" data-entry="step" aria-label="Step">
        ${
          entry.thought === ''
            ? nothing
            : html`<details class="thought" open>
                <summary>Thought</summary>
                <p>${entry.thought}</p>
              </details>`
        }
        ${
          entry.commands.length === 0 && !isLast
            ? html`<p class="aside">No commands could be read in this reply; the model was told.</p>`
            : entry.commands.map(commandView)
        }
      </section>`;
  }
}

/** Something a person should know, and what they can do about it. */
export function noticeView(tone: 'info' | 'warning' | 'error', code: string, text: string): TemplateResult {
  const advice = adviceFor(code);
  return html`<div class="notice ${tone}" data-entry="notice" role=${tone === 'error' ? 'alert' : 'note'}>
    ${icon('warn')}
    <div>
      <p>${text} <code class="code">${code}</code></p>
      ${advice === '' ? nothing : html`<p class="advice">${advice}</p>`}
    </div>
  </div>`;
}

const ASIDES: Partial<Record<Live['purpose'], string>> = {
  classify: 'Deciding what kind of request this is…',
  language: 'Finding out which language to answer in…',
  summary: 'Summing up…',
  report: 'Writing the closing message…',
  repair: 'Reading the reply again…',
};

function liveView({ purpose, text, reasoning }: Live): TemplateResult {
  const aside = ASIDES[purpose];
  if (aside !== undefined)
    return html`<p class="aside" aria-live="off"><span class="spinner"></span> ${aside}</p>`;
  const { thought, commands } = splitReply(text);
  return html`<section class="step live" aria-live="off" aria-label="Being written">
    <details class="thought" open>
      <summary><span class="spinner"></span> Thinking…</summary>
      ${reasoning === '' ? nothing : html`<p class="reasoning">${reasoning.slice(-LIVE_TAIL)}</p>`}
      <p>${thought}<span class="caret"></span></p>
      ${
        commands === ''
          ? nothing
          : html`<pre class="writing" aria-label="Commands being written">${readable(commands)}</pre>`
      }
    </details>
  </section>`;
}

/** The end of the JSON that is being written, with its line breaks as line breaks. */
function readable(json: string): string {
  return json.slice(-LIVE_TAIL).replaceAll('\\n', '\n').replaceAll('\\"', '"');
}
