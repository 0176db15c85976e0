import { chainOf } from './chain.js';
import { gguf } from './gguf.js';

/** What the chain at the server of the browser tests can say. */
export const SAYING = 'Hello from the processor.';

/** Its file. */
export function servedChain(): Uint8Array<ArrayBuffer> {
  return gguf(chainOf([{ text: SAYING }]));
}

/** The same with a window that holds the prompt of a whole agent, whose every byte is a token here. */
export function longChain(): Uint8Array<ArrayBuffer> {
  return gguf(chainOf([{ text: SAYING }]), 65_536);
}
