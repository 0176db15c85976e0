import type { LongTermStore } from '../core/long-term.js';
import type { Embedder } from '../core/model.js';
import type { Retention } from './retention.js';
import type { VectorIndexFactory } from './vector-index.js';

export interface ArchiveOptions {
  store: LongTermStore;
  /** Memories of other projects remain stored but are not found. */
  project: string;
  /** Returns which memories of a shared memory the role itself has stored; see `conversationOf`. */
  conversation: () => string;
  embedder: Embedder | undefined;
  formerEmbedder: Embedder | undefined;
  vectors: VectorIndexFactory | undefined;
  retention: Retention;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Returns the arrival of the newest memory of all roles of the session. */
  lastArrival: () => number;
  /** Called with recoverable errors. */
  warn(message: string, error: unknown): void;
}
