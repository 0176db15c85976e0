import type { Stage } from './stage.js';

/** Source files by path, such as `readme/agent.worker.ts`. Each that is not a worker gets a page. */
export type Files = Readonly<Record<string, string>>;

/** Runs snippets of a document and checks what the document promises. */
export interface Story {
  title: string;
  /** Documents that contain its snippets. */
  documents: readonly string[];
  /** One text per snippet that no other snippet of the documents contains. */
  snippets: readonly string[];
  /**
   * Files of its pages, from the code of its snippets. Stories may share a file. Default: none, the snippets run in
   * Node.
   */
  files?: (...code: string[]) => Files;
  /** @param code Code of the snippets that run in Node. */
  play(stage: Stage, ...code: string[]): Promise<void>;
}
