/** Server on this machine with an OpenAI-compatible API. */
export interface LocalServer {
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

/** A model to use, with the reason. `tour` means that there is none, and that the application should show a recorded run. */
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
  const { webgpu, cpuModel = CPU_MODEL } = found;
  const size = `${cpuModel.name}, ${(cpuModel.bytes / 1e9).toFixed(1)} GB`;
  const ways: (Choice | string)[] = [
    webgpu === null
      ? 'WebGPU is not available: this browser or this machine has no adapter for it.'
      : webgpu.model === null
        ? webgpu.reason
        : {
            kind: 'web-llm',
            model: webgpu.model,
            f16: webgpu.f16,
            reason: `${webgpu.reason} It runs in this tab, nothing leaves it.`,
          },
    found.chrome === 'available'
      ? { kind: 'chrome', reason: 'The browser has a language model of its own, ready to use.' }
      : CHROME[found.chrome],
    ...(found.servers.length === 0
      ? [
          'No model server answers on this machine at its usual port (Ollama 11434, LM Studio 1234, llama.cpp 8080), or none allows this page.',
        ]
      : found.servers.map((server): Choice => ({
          kind: 'server',
          server,
          reason: `${server.name} answers at ${server.baseURL} and has ${server.models[0] ?? ''}${server.models.length > 1 ? ` and ${server.models.length - 1} more` : ''}.`,
        }))),
    found.remote === null
      ? 'No remote endpoint is set.'
      : {
          kind: 'remote',
          ...found.remote,
          reason: `The settings name ${found.remote.model} at ${found.remote.baseURL}.`,
        },
    found.mayDownload
      ? {
          kind: 'wllama',
          model: cpuModel,
          reason: `You agreed to download a model (${size}): it runs on the processor, slowly, in this tab.`,
        }
      : `A model for the processor would have to be downloaded (${size}), and the user has not agreed to that.`,
    { kind: 'tour', reason: 'No model is available: the tour shows a recorded run.' },
  ];
  const first = ways.findIndex((way) => typeof way !== 'string');
  const [chosen, ...others] = ways.filter((way) => typeof way !== 'string');
  return {
    chosen: chosen ?? { kind: 'tour', reason: '' },
    others,
    passedOver: ways.slice(0, first).filter((way) => typeof way === 'string'),
    offer: chosen?.kind === 'tour' ? cpuModel : null,
  };
}

const CHROME: Record<Exclude<Found['chrome'], 'available'>, string> = {
  absent: 'The browser has no language model of its own.',
  unavailable: 'The browser has a language model of its own, but not on this machine.',
  downloadable: 'The browser would have to download its language model first, which takes a click.',
  downloading: 'The browser is still downloading its language model.',
};
