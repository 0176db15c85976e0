import { estimateTokens } from '../../core/token-estimate.js';

/** Estimates the tokens of a text while its tokenizer is not loaded. Errs on the high side. */
export function estimatedTokens(text: string): number {
  return Math.ceil(estimateTokens(text) * 1.15);
}
