import { estimateTokens } from '../../base/token-estimate.js';

/** For a text whose tokenizer is not there yet; rather too many. */
export function estimatedTokens(text: string): number {
  return Math.ceil(estimateTokens(text) * 1.15);
}
