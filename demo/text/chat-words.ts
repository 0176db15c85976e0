import type { ChatWords } from 'rolezero/element';
import type { Texts } from './en.js';

/** Texts of the conversation that other parts of the page use, too. */
export type ChatTexts = Pick<
  ChatWords,
  | 'you'
  | 'request'
  | 'placeholder'
  | 'send'
  | 'stop'
  | 'thinking'
  | 'answered'
  | 'showOlder'
  | 'action'
  | 'approval'
  | 'warning'
  | 'error'
  | 'errorDetails'
>;

/** Texts of parts that the page replaces by its own. */
export type OwnParts = 'resume' | 'interrupted' | 'files' | 'download' | 'opening';

const known = new WeakMap<Texts, Partial<ChatWords>>();

/** Returns the texts of the conversation in a language; the same object each time, so that nothing is rendered again. */
export function chatWords(texts: Texts): Partial<ChatWords> {
  const words = known.get(texts) ?? { ...texts.chat, ...sharedWords(texts) };
  known.set(texts, words);
  return words;
}

function sharedWords({
  you,
  request,
  requestHint,
  send,
  stop,
  thinking,
  answered,
  showOlder,
  rows,
  mayRun,
  mayOpen,
  mayChange,
  imagesUnseen,
  limitReached,
  retrying,
  causes,
  advice,
  errorDetails,
}: Texts): ChatTexts {
  return {
    you,
    request,
    placeholder: requestHint,
    send,
    stop,
    thinking,
    answered,
    showOlder,
    action: (name, isDone) => rows[name]?.[isDone ? 1 : 0],
    approval: ({ text, role, facts, command }) => {
      if (facts === undefined) return text;
      const { action } = facts;
      if (action.do === 'open') return mayOpen?.(role, action.host) ?? text;
      if (action.do === 'change') return mayChange?.(role, action.path) ?? text;
      return mayRun[command?.name.split('.', 1)[0] ?? '']?.(role) ?? text;
    },
    warning: ({ code, text }) => {
      if (text === '') return limitReached;
      if (code === 'images-unseen') return imagesUnseen;
      const [, attempt, of] = /^The reply was interrupted; .* \((\d+) of (\d+)\)/.exec(text) ?? [];
      return attempt !== undefined && of !== undefined ? retrying(attempt, of) : text;
    },
    errorDetails,
    error: (code) => ({ cause: causes[code], advice: advice[code] }),
  };
}
