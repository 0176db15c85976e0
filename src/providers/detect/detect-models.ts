import { defined } from '../../core/defined.js';
import { isRecord } from '../../core/json.js';
import { chromeAvailability } from '../chrome/chrome.js';
import { openaiBaseURLs } from '../openai/base-url.js';
import { chooseModel as chooseForGpu } from '../web-llm/choose-model.js';
import { chooseModel, type CpuModel, type Detection, type Found, type LocalServer } from './choose-model.js';

/** Detection functions. Each returns what is available and never rejects. */
interface Probes {
  webgpu(): Promise<Found['webgpu']>;
  chrome(): Promise<Found['chrome']>;
  servers(): Promise<readonly LocalServer[]>;
}

export interface DetectSettings {
  /** Remote endpoint that the user has set. */
  remote?: { baseURL: string; model: string };
  /**
   * True when the user has agreed to download a model for the CPU.
   * @default false
   */
  mayDownload?: boolean;
  /**
   * Model for the CPU.
   * @default CPU_MODEL
   */
  cpuModel?: CpuModel;
  /** Replacements for the real detection functions. */
  probes?: Partial<Probes>;
}

/** In ms. Maximum time for a local server to list its models. */
const PATIENCE_MS = 1_500;

const SERVERS: readonly (readonly [string, string])[] = [
  ['Ollama', openaiBaseURLs.ollama],
  ['LM Studio', openaiBaseURLs.lmStudio],
  ['llama.cpp', openaiBaseURLs.llamaCpp],
];

/**
 * Recommends a model for the current environment, with the reason. Looks for a WebGPU adapter, the browser's own model, and local servers
 * in parallel. Downloads nothing and never rejects.
 *
 * @example
 * const { chosen, passedOver, offer } = await detectModels({ remote: settings.remote });
 * for (const reason of [...passedOver, chosen.reason]) say(reason);
 */
export async function detectModels(settings: DetectSettings = {}): Promise<Detection> {
  return chooseModel(await findModels(settings));
}

/** Returns the input of `chooseModel`, for applications with their own wording of the reasons. Never rejects. */
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

/** Returns the web-llm model that can run here. The model is null when WebGPU is emulated on the CPU. */
async function webgpuAdapter(): Promise<Found['webgpu']> {
  try {
    const { model, reason } = await chooseForGpu();
    return { model: model?.id ?? null, f16: model?.features.includes('shader-f16') ?? false, reason };
  } catch {
    return null; // not in a browser
  }
}

/** Returns the servers that answer with a list of models, in the given order. Ignores other servers on these ports. */
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
    return null; // no server, or none that allows this page
  }
}
