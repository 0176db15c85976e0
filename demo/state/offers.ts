import { chooseModel, CPU_MODEL, type Choice, type CpuModel, type Found } from 'rolezero/providers/detect';
import { recommendModel, type WebLLMModel } from 'rolezero/providers/web-llm/choose';
import { serverAt } from './servers.js';
import { CHROME, CPU_WINDOW, noSettings, type Settings } from './settings.js';

type Adapter = NonNullable<Parameters<typeof recommendModel>[0]>;

/** A model that can run in this tab. */
export interface Offer {
  id: string;
  /** Megabytes of GPU memory; null where it is not known. */
  memoryMB: number | null;
  contextWindow: number;
}

/** What has to be downloaded before a model can be used, which nobody does unasked. */
export interface Download {
  /** Host it comes from; null: the browser's maker, which the page does not learn. */
  from: string | null;
  /** Null when it is not known. */
  bytes: number | null;
  /** `told` by the server just now, as others have `recorded` it, or `at-most`. */
  known: 'told' | 'recorded' | 'at-most';
}

/** A model that can be connected, where it comes from, and what that takes. */
export interface Way {
  kind: Exclude<Choice['kind'], 'tour'>;
  /** Empty for the browser's own. */
  name: string;
  /** Of a server, the one it is called by. */
  server: string;
  memoryMB: number | null;
  settings: Settings;
  /** Null: it can be used at once. */
  download: Download | null;
}

/** Why a way is not available, by the way and what it lacks. */
export type Lack =
  | 'no-adapter'
  | 'gpu-too-weak'
  | 'no-browser-model'
  | 'browser-model-not-here'
  | 'browser-model-to-download'
  | 'browser-model-downloading'
  | 'no-local-server'
  | 'no-endpoint';

/** What there is and what there is not, both in the order they are thought of. The first way is the one that is picked. */
export interface Ways {
  ways: Way[];
  lacks: Lack[];
}

/** At most so many models of one server are listed. */
const MOST_OF_A_SERVER = 6;

/**
 * From what was found to what the user is offered: WebGPU, the browser's own model, servers of this machine, an endpoint of the
 * settings, the browser's own where it must be downloaded, the processor. There is always one: a model for the processor can be
 * downloaded anywhere, and whoever does not want that watches a tour. Pure.
 */
export function waysOf(found: Found, offers: readonly Offer[]): Ways {
  const { chosen, others } = chooseModel({ ...found, mayDownload: true });
  const ways = [chosen, ...others].flatMap((choice) => waysOfChoice(choice, offers));
  const processor = ways.findIndex(({ kind }) => kind === 'wllama');
  if (found.chrome === 'downloadable' || found.chrome === 'downloading')
    ways.splice(processor, 0, { ...chromeWay, download: { from: null, bytes: null, known: 'told' } });
  return { ways, lacks: lacksOf(found) };
}

function waysOfChoice(choice: Choice, offers: readonly Offer[]): Way[] {
  switch (choice.kind) {
    case 'web-llm':
      // What suits the machine's memory comes first, then what other machines could run, the ablest first.
      return offers
        .toSorted((one, other) => Number(other.id === choice.model) - Number(one.id === choice.model))
        .map(({ id, memoryMB, contextWindow }) => ({
          kind: 'web-llm',
          name: id,
          server: '',
          memoryMB,
          settings: { ...noSettings, where: 'tab', model: id, contextWindow },
          // Weights and what they need to run: the file is what the memory holds, but for the cache.
          download: {
            from: 'huggingface.co',
            bytes: memoryMB === null ? null : memoryMB * 1e6,
            known: 'at-most',
          },
        }));
    case 'chrome':
      return [chromeWay];
    case 'server':
      return choice.server.models
        .slice(0, MOST_OF_A_SERVER)
        .map((model) => serverWay('server', choice.server.name, choice.server.baseURL, model));
    case 'remote':
      return [serverWay('remote', new URL(choice.baseURL).host, choice.baseURL, choice.model)];
    case 'wllama':
      return [cpuWay(choice.model, CPU_WINDOW)];
    case 'tour':
      return [];
  }
}

const chromeWay: Way = {
  kind: 'chrome',
  name: '',
  server: '',
  memoryMB: null,
  settings: { ...noSettings, where: 'browser', model: CHROME, contextWindow: 4_096 },
  download: null,
};

function serverWay(kind: 'server' | 'remote', server: string, baseURL: string, model: string): Way {
  const contextWindow = serverAt(baseURL)?.assumedWindow ?? noSettings.contextWindow;
  return {
    kind,
    name: model,
    server,
    memoryMB: null,
    settings: { where: 'server', baseURL, model, contextWindow },
    download: null,
  };
}

/** A GGUF file on the processor. Of one that the user names nobody knows the size before its server is asked. */
export function cpuWay({ name, url, bytes }: CpuModel, contextWindow: number): Way {
  return {
    kind: 'wllama',
    name,
    server: '',
    memoryMB: null,
    settings: { where: 'processor', baseURL: url, model: name, contextWindow },
    download: {
      from: new URL(url).host,
      bytes: bytes > 0 ? bytes : null,
      known: url === CPU_MODEL.url ? 'recorded' : 'told',
    },
  };
}

/** The same way with the size as the server tells it now; as it was when that is not available. */
export async function measured(way: Way): Promise<Way> {
  if (way.kind !== 'wllama' || way.download === null) return way;
  const bytes = await fileSize(way.settings.baseURL);
  return bytes === null ? way : { ...way, download: { ...way.download, bytes, known: 'told' } };
}

/** Asks a worker, because only workers may reach servers that the user chose: see the policy in `index.html`. */
async function fileSize(url: string): Promise<number | null> {
  const worker = new Worker(new URL('../file-size.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<number | null>) => resolve(data);
      worker.onerror = () => resolve(null);
      worker.postMessage(url);
    });
  } finally {
    worker.terminate();
  }
}

function lacksOf({ webgpu, chrome, servers, remote }: Found): Lack[] {
  const lacks: (Lack | null)[] = [
    webgpu === null ? 'no-adapter' : webgpu.model === null ? 'gpu-too-weak' : null,
    {
      absent: 'no-browser-model' as const,
      unavailable: 'browser-model-not-here' as const,
      downloadable: 'browser-model-to-download' as const,
      downloading: 'browser-model-downloading' as const,
      available: null,
    }[chrome],
    servers.length === 0 ? 'no-local-server' : null,
    remote === null ? 'no-endpoint' : null,
  ];
  return lacks.filter((lack) => lack !== null);
}

/** Megabytes that models of different sizes are looked for with. */
const SIZES = [4_400, 2_700, 1_900, 1_150];

/** The ablest models for a GPU, one for each size of its memory that nobody can ask for, the largest first. */
export function offersFor(adapter: Adapter | null): Offer[] {
  const found = SIZES.map((memoryMB) => recommendModel(adapter, { memoryMB }).model).filter(
    (model): model is WebLLMModel => model !== null,
  );
  const distinct = new Map(found.map((model) => [model.id, model]));
  return [...distinct.values()].map(({ id, vramMB, contextWindow }) => ({
    id,
    memoryMB: vramMB,
    contextWindow,
  }));
}

interface Gpu {
  requestAdapter(): Promise<Adapter | null>;
}

/** The same for the GPU of this machine; none when there is none. */
export async function offersHere(): Promise<Offer[]> {
  try {
    const gpu = (navigator as { gpu?: Gpu }).gpu;
    return offersFor((await gpu?.requestAdapter()) ?? null);
  } catch {
    return []; // a browser that only knows the word
  }
}
