import type { ChatChunk } from '../../../src/core/model.js';
import { openai } from '../../../src/providers/openai/index.js';

export interface Job {
  baseURL: string;
  /** Stops the call at its first text. */
  abortOnText: boolean;
}
export type News = { chunk: ChatChunk } | { error: string | null };

/** Makes one call per job. Posts the yielded texts as they arrive, then the error's code or null. */
self.onmessage = async ({ data }: MessageEvent<Job>) => {
  const stopping = new AbortController();
  const tell = (news: News) => self.postMessage(news);
  try {
    const model = openai({ baseURL: data.baseURL, model: 'test-model', contextWindow: 8_192 });
    const { signal } = stopping;
    for await (const chunk of model.chat({ purpose: 'think', messages: [], signal })) {
      tell({ chunk });
      if (data.abortOnText && chunk.type === 'text-delta') stopping.abort();
    }
    tell({ error: null });
  } catch (error) {
    tell({ error: (error as { code: string }).code });
  }
};
