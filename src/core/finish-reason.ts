import type { ChatChunk } from './model.js';

export type FinishReason = Extract<ChatChunk, { type: 'finish' }>['reason'];

/**
 * What servers and engines call the end of a reply; the first match applies. Only `stop` proves that the reply is whole. After `failure` it is not,
 * and a retry may help. A word of `none` marks no end.
 */
const WORDS = [
  ['none', /^(?:null|none|undefined|unspecified|not_finished|in_progress)$/],
  [
    'failure',
    /error|abort|cancel|fail|incomplete|interrupt|time|rate|network|load|connect|insufficient|malformed|unexpected/,
  ],
  ['length', /length|max|limit|context/],
  ['content-filter', /filter|block|safety|sensitive|recitation|prohibited|spii|refusal|guardrail/],
  [
    'stop',
    /^(?:(?:stop|eos|end|tool|function)(?:_.*)?|stopped|done|complete|completed|finish|finished|success)$/,
  ],
] as const;

/** Returns what a word for the end of a reply means, whatever its case and separators; `other` for an unknown one, null for no end. */
export function finishReason(word: unknown): FinishReason | 'failure' | null {
  if (typeof word !== 'string' || word.trim() === '') return null;
  const plain = word.trim().toLowerCase().replace(/[\s-]/g, '_').replace('finish_reason_', '');
  const [reason] = WORDS.find(([, pattern]) => pattern.test(plain)) ?? ['other' as const];
  return reason === 'none' ? null : reason;
}
