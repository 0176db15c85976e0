import type { AgentEvent } from '../../core/events.js';
import type { ChatRequest, Purpose } from '../../core/model.js';
import { RepetitionWatch, type RepeatedText } from './repeated-text.js';

/** Purposes whose words are a thought or a message, and not the content of a file or an answer. */
const THOUGHTS: ReadonlySet<Purpose> = new Set<Purpose>(['think', 'regenerate', 'report', 'summary']);
/** Newest messages in which the request of the user is looked for. */
const NEWEST = 4;
/** Maximum characters of a repeated text in its warning. */
const MAX_QUOTE = 100;

/** Watches the reply to a request. What the user asks for may be repetitive. */
export function watchReply({ purpose, messages }: ChatRequest): RepetitionWatch {
  const isAsked = (text: string): boolean =>
    messages.slice(-NEWEST).some(({ role, content }) => role === 'user' && readText(content).includes(text));
  return new RepetitionWatch(isAsked, THOUGHTS.has(purpose));
}

/** Returns the warning about a reply that was stopped. */
export function stoppedReply(
  role: string,
  purpose: Purpose,
  { unit, times }: RepeatedText,
): AgentEvent<'warning'> {
  const quote = unit.trim().slice(0, MAX_QUOTE);
  const what = quote === '' ? 'blanks' : JSON.stringify(quote);
  return {
    type: 'warning',
    code: 'model-request',
    message: `A reply was stopped, because it repeated ${what} ${times} times.`,
    detail: { role, purpose, times },
  };
}

/** Returns the warning about a reply that lacked only its end; see `WholeReply`. */
export function wholeWithoutEnd(role: string, purpose: Purpose): AgentEvent<'warning'> {
  return {
    type: 'warning',
    code: 'model-request',
    message: 'The model wrote a whole reply, but not its end. The reply is used.',
    detail: { role, purpose },
  };
}

function readText(content: ChatRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
