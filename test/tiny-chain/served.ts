import { chainOf } from './chain.js';
import { gguf } from './gguf.js';

/** What the chain at the server of the browser tests can say. */
export const SAYING = 'Hello from the processor.';

/** Its file. */
export function servedChain(): Uint8Array<ArrayBuffer> {
  return gguf(chainOf([{ text: SAYING }]));
}
