import { estimateTokenCount } from 'tokenx';

/** For a text whose tokenizer is not there yet; rather too many. */
export function estimatedTokens(text: string): number {
  return Math.ceil(estimateTokenCount(text) * 1.15);
}
