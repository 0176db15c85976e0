import { defined } from '../../core/defined.js';
import { isRecord } from '../../core/json.js';
import { chromeAvailability } from '../chrome/chrome.js';
import { openaiBaseURLs } from '../openai/base-url.js';
import { chooseModel as chooseWebLlmModel } from '../web-llm/choose-model.js';

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
    const { model, reason } = await chooseWebLlmModel();
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

/** Server on this machine with an OpenAI-compatible API. */
interface LocalServer {
  name: string;
  baseURL: string;
  /** Names of its models as listed by the server; at least one. */
  models: readonly string[];
}

/** Model for the CPU, which must be downloaded. */
export interface CpuModel {
  name: string;
  /** URL of its GGUF file. */
  url: string;
  /** Approximate download size. */
  bytes: number;
}

/**
 * Model that runs at an acceptable speed on a CPU and still follows instructions. URL and size are as published and as recorded by others;
 * no test of this package downloads the file. Query the server with `HEAD` if you need the exact size.
 */
export const CPU_MODEL: CpuModel = {
  name: 'Qwen2.5 1.5B Instruct',
  url: 'https://huggingface.co/Qwen/Qwen2.5-1.5B-Instruct-GGUF/resolve/main/qwen2.5-1.5b-instruct-q4_k_m.gguf',
  bytes: 1_117_320_736,
};

/** Models that were found in this environment. */
export interface Found {
  /** The web-llm model that the GPU can run (or null) and the reason; null when there is no WebGPU adapter. */
  webgpu: { model: string | null; f16: boolean; reason: string } | null;
  /** Result of `chromeAvailability`. */
  chrome: 'absent' | 'unavailable' | 'downloadable' | 'downloading' | 'available';
  servers: readonly LocalServer[];
  /** From the settings of the application. */
  remote: { baseURL: string; model: string } | null;
  /** True when the user has agreed to download a model for the CPU. */
  mayDownload: boolean;
  /**
   * Model for the CPU.
   * @default CPU_MODEL
   */
  cpuModel?: CpuModel;
}

/** A model to use, with the reason. `tour`: without any, the application shows a recorded run. */
export type Choice =
  | { kind: 'web-llm'; model: string; f16: boolean; reason: string }
  | { kind: 'chrome'; reason: string }
  | { kind: 'server'; server: LocalServer; reason: string }
  | { kind: 'remote'; baseURL: string; model: string; reason: string }
  | { kind: 'wllama'; model: CpuModel; reason: string }
  | { kind: 'tour'; reason: string };

export interface Detection {
  chosen: Choice;
  /** Alternatives, best first; the tour is always last. */
  others: Choice[];
  /** Why the options before the chosen one were skipped, one sentence each. */
  passedOver: string[];
  /** Model that could be downloaded when only the tour is left; null otherwise. Ask the user, then detect again with `mayDownload`. */
  offer: CpuModel | null;
}

/** Chooses a model in this order: WebGPU, the browser's own, a local server, a remote endpoint, the CPU, the tour. A pure function. */
export function chooseModel(found: Found): Detection {
  const ways = [
    webLlmWay(found),
    chromeWay(found),
    ...serverWays(found),
    remoteWay(found),
    wllamaWay(found),
    { kind: 'tour' as const, reason: 'No model is available: the tour shows a recorded run.' },
  ];
  const first = ways.findIndex((way) => typeof way !== 'string');
  const [chosen, ...others] = ways.filter((way) => typeof way !== 'string');
  return {
    chosen: chosen ?? { kind: 'tour', reason: '' },
    others,
    passedOver: ways.slice(0, first).filter((way) => typeof way === 'string'),
    offer: chosen?.kind === 'tour' ? (found.cpuModel ?? CPU_MODEL) : null,
  };
}

/** A choice, or the sentence that says why it is not available. */
type Way = Choice | string;

function webLlmWay({ webgpu }: Found): Way {
  if (webgpu === null) return 'WebGPU is not available: this browser or this machine has no adapter for it.';
  const { model, f16, reason } = webgpu;
  if (model === null) return reason;
  return { kind: 'web-llm', model, f16, reason: `${reason} It runs in this tab, nothing leaves it.` };
}

function chromeWay({ chrome }: Found): Way {
  if (chrome !== 'available') return WHY_NOT_CHROME[chrome];
  return { kind: 'chrome', reason: 'The browser has a language model of its own, ready to use.' };
}

function serverWays({ servers }: Found): Way[] {
  if (servers.length === 0)
    return [
      'No model server answers on this machine at its usual port (Ollama 11434, LM Studio 1234, llama.cpp 8080), or none allows this page.',
    ];
  return servers.map((server) => {
    const { name, baseURL, models } = server;
    const more = models.length > 1 ? ` and ${models.length - 1} more` : '';
    return {
      kind: 'server',
      server,
      reason: `${name} answers at ${baseURL} and has ${models[0] ?? ''}${more}.`,
    };
  });
}

function remoteWay({ remote }: Found): Way {
  if (remote === null) return 'No remote endpoint is set.';
  return { kind: 'remote', ...remote, reason: `The settings name ${remote.model} at ${remote.baseURL}.` };
}

function wllamaWay({ mayDownload, cpuModel: model = CPU_MODEL }: Found): Way {
  const size = `${model.name}, ${(model.bytes / 1e9).toFixed(1)} GB`;
  if (!mayDownload)
    return `A model for the processor would have to be downloaded (${size}), and the user has not agreed to that.`;
  return {
    kind: 'wllama',
    model,
    reason: `You agreed to download a model (${size}): it runs on the processor, slowly, in this tab.`,
  };
}

const WHY_NOT_CHROME: Record<Exclude<Found['chrome'], 'available'>, string> = {
  absent: 'The browser has no language model of its own.',
  unavailable: 'The browser has a language model of its own, but not on this machine.',
  downloadable: 'The browser would have to download its language model first, which takes a click.',
  downloading: 'The browser is still downloading its language model.',
};
