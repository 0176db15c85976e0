import type { InitProgressReport } from '@mlc-ai/web-llm';
import type { ModelPhase, ProgressChunk } from '../../core/model.js';

const MEGABYTE = 2 ** 20;

/**
 * Converts a loading report to a progress chunk: bytes while weights are downloaded or copied to the GPU, steps while kernels are compiled.
 *
 * The phase is only available from the text of the report. The engine rounds bytes up to the next megabyte; the total is calculated from
 * the completed share.
 */
export function loadProgress(model: string, { progress, text }: InitProgressReport): ProgressChunk {
  const megabytes = /: (\d+)MB (?:fetched|loaded)\./.exec(text);
  if (megabytes !== null && progress > 0) {
    const done = Number(megabytes[1]);
    const whole = Math.max(done, Math.round(done / progress));
    const isFetched = text.startsWith('Fetching');
    const doing = isFetched ? 'Downloading' : 'Loading to the GPU:';
    return progressChunk(
      done * MEGABYTE,
      whole * MEGABYTE,
      `${doing} ${model}, ${done} of ${whole} MB.`,
      isFetched ? 'downloading' : 'loading',
    );
  }
  const steps = /^Loading GPU shader modules\[(\d+)\/(\d+)\]/.exec(text);
  if (steps !== null) {
    const [, done, all] = steps.map(Number);
    return progressChunk(
      done ?? 0,
      all ?? 1,
      `Compiling ${model} for this GPU, step ${done ?? 0} of ${all ?? 1}.`,
    );
  }
  if (text.startsWith('Start to fetch params'))
    return progressChunk(0, 1, `Looking for the weights of ${model}.`);
  const ready = /^Finish loading on (.*)$/.exec(text);
  if (ready !== null)
    return progressChunk(1, 1, `${model} is ready on ${ready[1]?.replace(/[ -]+$/, '') ?? 'WebGPU'}.`);
  return progressChunk(progress, 1, text);
}

function progressChunk(
  loaded: number,
  total: number,
  text: string,
  phase: ModelPhase = 'loading',
): ProgressChunk {
  return { type: 'progress', phase, loaded, total, text };
}
