import type { Renderers } from 'rolezero/element/markdown';

/** Milliseconds after which a diagram is given up. */
const LIMIT_MS = 10_000;

let queue: Promise<unknown> = Promise.resolve();
let worker: Worker | null = null;

/** Draws a diagram in a worker, one after the other: a layout can take long, or never end. */
export const diagram: Renderers['diagram'] = (text) => {
  const drawn = queue.then(() => draw(text));
  queue = drawn.catch(() => {});
  return drawn;
};

function draw(text: string): Promise<string> {
  worker ??= new Worker(new URL('../diagram.worker.ts', import.meta.url), { type: 'module' });
  const drawing = worker;
  return new Promise((resolve, reject) => {
    const stop = (why: string): void => {
      drawing.terminate();
      worker = null;
      reject(new Error(why));
    };
    const timer = setTimeout(() => stop('The diagram takes too long to draw.'), LIMIT_MS);
    drawing.onmessage = ({ data }: MessageEvent<{ picture: string } | { error: string }>) => {
      clearTimeout(timer);
      if ('picture' in data) resolve(data.picture);
      else reject(new Error(data.error));
    };
    drawing.onerror = () => {
      clearTimeout(timer);
      stop('The worker for diagrams could not be loaded.');
    };
    drawing.postMessage(text);
  });
}
