import { defined } from '../../base/defined.js';
import { isRecord } from '../../base/json.js';
import { chromeAvailability } from '../chrome/chrome.js';
import { openaiBaseURLs } from '../openai/base-url.js';
import { chooseModel as chooseForGpu } from '../web-llm/choose-model.js';
import { chooseModel, type CpuModel, type Detection, type Found, type LocalServer } from './choose-model.js';

/** How the place is looked at; each tells what is there and never rejects. */
export interface Probes {
  webgpu(): Promise<Found['webgpu']>;
  chrome(): Promise<Found['chrome']>;
  servers(): Promise<readonly LocalServer[]>;
}

export interface DetectSettings {
  /** A remote endpoint that the person has set. */
  remote?: { baseURL: string; model: string };
  /** The person has agreed to download a model for the processor. Default false. */
  mayDownload?: boolean;
  /** Which model that would be. Default `CPU_MODEL`. */
  cpuModel?: CpuModel;
  /** Instead of looking for real. */
  probes?: Partial<Probes>;
}

/** Milliseconds a server on this machine may take to list its models. */
const PATIENCE_MS = 1_500;

const SERVERS: readonly (readonly [string, string])[] = [
  ['Ollama', openaiBaseURLs.ollama],
  ['LM Studio', openaiBaseURLs.lmStudio],
  ['llama.cpp', openaiBaseURLs.llamaCpp],
];

/**
 * Which model an application should use where it runs, with the reason in words. Looks for a WebGPU adapter, the browser's own model
 * and servers on this machine, at the same time; downloads nothing. Never rejects.
 *
 * @example
 * const { chosen, passedOver, offer } = await detectModels({ remote: settings.remote });
 * for (const reason of [...passedOver, chosen.reason]) say(reason);
 */
export async function detectModels(settings: DetectSettings = {}): Promise<Detection> {
  return chooseModel(await findModels(settings));
}

/** What `detectModels` chooses from, for an application that words its reasons itself: give it to `chooseModel`. Never rejects. */
export async function findModels({
  remote,
  mayDownload = false,
  cpuModel,
  probes = {},
}: DetectSettings = {}): Promise<Found> {
  const [webgpu, chrome, servers] = await Promise.all([
    (probes.webgpu ?? webgpuAdapter)(),
    (probes.chrome ?? chromeAvailability)(),
    (probes.servers ?? localServers)(),
  ]);
  return {
    webgpu,
    chrome,
    servers,
    remote: remote ?? null,
    mayDownload,
    ...defined({ cpuModel }),
  };
}

/** What web-llm could run here. Where the processor computes in the place of a GPU that is nothing. */
export async function webgpuAdapter(): Promise<Found['webgpu']> {
  try {
    const { model, reason } = await chooseForGpu();
    return { model: model?.id ?? null, f16: model?.features.includes('shader-f16') ?? false, reason };
  } catch {
    return null; // no browser at all
  }
}

/** The servers that answer with a list of models, in the given order. Others on these ports are passed over. */
export async function localServers(
  candidates: readonly (readonly [name: string, baseURL: string])[] = SERVERS,
): Promise<LocalServer[]> {
  const answers = await Promise.all(candidates.map(([name, baseURL]) => serverAt(name, baseURL)));
  return answers.filter((server) => server !== null);
}

async function serverAt(name: string, baseURL: string): Promise<LocalServer | null> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${baseURL}/models`, { signal, credentials: 'omit', redirect: 'error' });
    const list: unknown = response.ok ? await response.json() : null;
    const entries: unknown[] = isRecord(list) && Array.isArray(list['data']) ? list['data'] : [];
    const models = entries.flatMap((entry) =>
      isRecord(entry) && typeof entry['id'] === 'string' ? [entry['id']] : [],
    );
    return models.length === 0 ? null : { name, baseURL, models };
  } catch {
    return null; // nobody there, or nobody who allows this page
  }
}
