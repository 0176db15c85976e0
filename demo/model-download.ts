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

/** Downloads a model, and loads it once if it is one for the GPU, which shows that it runs there. The page ends the worker to stop it. */
export function serveDownload(): void {
  addEventListener('message', ({ data }: MessageEvent<LocalModelConfig>) => {
    void load(data).then(post, (error: unknown) =>
      post({ type: 'failed', error: errorData(error, 'model-load') }),
    );
  });
}

async function load(config: LocalModelConfig): Promise<DownloadMessage> {
  const model = await localModel(config);
  // The engine of a processor cannot be handed on: loading it here as well would cost its users the same time twice.
  const steps = 'download' in model ? model.download() : model.load();
  for await (const { phase, loaded, total } of steps)
    post({ type: 'progress', phase: phase === 'downloading' ? 'download' : 'load', loaded, total });
  await model.unload();
  return { type: 'done' };
}

function post(message: DownloadMessage): void {
  postMessage(message);
}
