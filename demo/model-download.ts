import type { ErrorData } from 'rolezero';
import { localModel, type LocalModelConfig } from './local-model.js';
import { errorData } from './state/error-data.js';

/** What the worker posts: progress of the download and of loading, then one end. */
export type DownloadMessage =
  | { type: 'progress'; phase: 'download' | 'load'; loaded: number; total: number }
  | { type: 'done' }
  | { type: 'failed'; error: ErrorData };

/** The name of a worker that downloads a model instead of running a session. */
export const DOWNLOADER = 'download';

/** Downloads a model and loads it once, which shows that it runs on this machine. The page ends the worker to stop it. */
export function serveDownload(): void {
  addEventListener('message', ({ data }: MessageEvent<LocalModelConfig>) => {
    void load(data).then(post, (error: unknown) =>
      post({ type: 'failed', error: errorData(error, 'model-load') }),
    );
  });
}

async function load(config: LocalModelConfig): Promise<DownloadMessage> {
  const model = await localModel(config);
  for await (const { loaded, total, text } of model.load())
    post({ type: 'progress', phase: text.startsWith('Downloading') ? 'download' : 'load', loaded, total });
  await model.unload();
  return { type: 'done' };
}

function post(message: DownloadMessage): void {
  postMessage(message);
}
