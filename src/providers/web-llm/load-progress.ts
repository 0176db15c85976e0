import type { InitProgressReport } from '@mlc-ai/web-llm';
import type { ChatChunk } from '../../base/model.js';

export type ProgressChunk = Extract<ChatChunk, { type: 'progress' }>;

const MEGABYTE = 2 ** 20;

/**
 * What is told while a model loads: bytes while its weights are fetched and brought to the GPU, steps while its kernels are compiled. The
 * engine reports in sentences, which are all there is to tell these apart; it rounds bytes up to the next megabyte, and the whole is
 * reckoned from the share that is done.
 */
export function loadProgress(model: string, { progress, text }: InitProgressReport): ProgressChunk {
  const megabytes = /: (\d+)MB (?:fetched|loaded)\./.exec(text);
  if (megabytes !== null && progress > 0) {
    const done = Number(megabytes[1]);
    const whole = Math.max(done, Math.round(done / progress));
    const doing = text.startsWith('Fetching') ? 'Downloading' : 'Bringing to the GPU:';
    return told(done * MEGABYTE, whole * MEGABYTE, `${doing} ${model}, ${done} of ${whole} MB.`);
  }
  const steps = /^Loading GPU shader modules\[(\d+)\/(\d+)\]/.exec(text);
  if (steps !== null) {
    const [, done, all] = steps.map(Number);
    return told(done ?? 0, all ?? 1, `Compiling ${model} for this GPU, step ${done ?? 0} of ${all ?? 1}.`);
  }
  if (text.startsWith('Start to fetch params')) return told(0, 1, `Looking for the weights of ${model}.`);
  const ready = /^Finish loading on (.*)$/.exec(text);
  if (ready !== null)
    return told(1, 1, `${model} is ready on ${ready[1]?.replace(/[ -]+$/, '') ?? 'WebGPU'}.`);
  return told(progress, 1, text);
}

function told(loaded: number, total: number, text: string): ProgressChunk {
  return { type: 'progress', loaded, total, text };
}
