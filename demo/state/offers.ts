import { chooseModel, CPU_MODEL, type Choice, type CpuModel, type Found } from 'rolezero/providers/detect';
import { recommendModel, type WebLLMModel } from 'rolezero/providers/web-llm/choose';
import { serverAt } from './servers.js';
import type { StoredModel } from './stored-models.js';
import { CHROME, CPU_WINDOW, noSettings, type Settings } from './settings.js';

type Adapter = NonNullable<Parameters<typeof recommendModel>[0]>;

/** A model that can run in this tab. */
export interface Offer {
  id: string;
  /** Megabytes of GPU memory; null when unknown. */
  memoryMB: number | null;
  contextWindow: number;
}

/** A required download, which needs the user's consent. */
export interface Download {
  /** Its host; null for the browser vendor, which the page cannot see. */
  from: string | null;
  /** Null when unknown. */
  bytes: number | null;
  /** `reported` by the server just now, `recorded` earlier, or `at-most`. */
  known: 'reported' | 'recorded' | 'at-most';
}

/** A model that can be connected, with its source and requirements. */
export interface Way {
  kind: Exclude<Choice['kind'], 'tour'>;
  /** Empty for the browser's own. */
  name: string;
  /** For a server: its name. */
  server: string;
  memoryMB: number | null;
  settings: Settings;
  /** Null: it can be used at once. */
  download: Download | null;
  /** It is the best one for this machine among those that run on it. */
  isRecommended?: true;
}

/** The reason why an option is not available. */
export type Lack =
  | 'no-adapter'
  | 'gpu-too-weak'
  | 'no-browser-model'
  | 'browser-model-not-here'
  | 'browser-model-to-download'
  | 'browser-model-downloading'
  | 'no-local-server'
  | 'no-endpoint';

/** Available and unavailable options in order of preference. The first available one is selected. */
export interface Ways {
  ways: Way[];
  lacks: Lack[];
}

/** Maximum number of listed models per server. */
const MOST_OF_A_SERVER = 6;

/**
 * Converts the search results to offers: WebGPU, the browser's own model, servers on this machine, a server from the
 * settings, the browser's own model where it must be downloaded, the processor. There is always one: a model for the
 * processor can be downloaded anywhere.
 */
export function waysOf(found: Found, offers: readonly Offer[]): Ways {
  const { chosen, others } = chooseModel({ ...found, mayDownload: true });
  const ways = [chosen, ...others].flatMap((choice) => waysOfChoice(choice, offers));
  const processor = ways.findIndex(({ kind }) => kind === 'wllama');
  if (found.chrome === 'downloadable' || found.chrome === 'downloading')
    ways.splice(processor, 0, { ...chromeWay, download: { from: null, bytes: null, known: 'reported' } });
  return { ways, lacks: lacksOf(found) };
}

/**
 * Marks the model that suits this machine best, and those that are stored in this browser: they need no download. Other
 * stored models are added, and stored models come first.
 */
export function withStored({ ways, lacks }: Ways, stored: readonly StoredModel[]): Ways {
  const complete = stored.filter(({ isComplete }) => isComplete);
  const isStored = (way: Way): boolean => complete.some((model) => isSame(way, model));
  const first = ways.find(({ kind }) => kind === 'web-llm' || kind === 'chrome');
  const marked = ways.map((way): Way => ({
    ...way,
    ...(way === first ? { isRecommended: true } : {}),
    ...(isStored(way) ? { download: null } : {}),
  }));
  const others = complete
    .filter(({ kind, url }) => kind === 'wllama' && URL.canParse(url))
    .filter((model) => !ways.some((way) => isSame(way, model)))
    .map(({ name, url }): Way => ({ ...cpuWay({ name, url, bytes: 0 }, CPU_WINDOW), download: null }));
  const own = [...marked, ...others];
  const isHere = (way: Way): boolean => isStored(way) || others.includes(way);
  return { ways: [...own.filter(isHere), ...own.filter((way) => !isHere(way))], lacks };
}

/** Returns whether a model is the stored one. */
function isSame(way: Way, { kind, url, name }: StoredModel): boolean {
  return way.kind === kind && (kind === 'web-llm' ? way.name === name : way.settings.baseURL === url);
}

function waysOfChoice(choice: Choice, offers: readonly Offer[]): Way[] {
  switch (choice.kind) {
    case 'web-llm':
      // Models that fit into the memory of this machine come first, then larger ones, the most capable first.
      return offers
        .toSorted((one, other) => Number(other.id === choice.model) - Number(one.id === choice.model))
        .map(({ id, memoryMB, contextWindow }) => ({
          kind: 'web-llm',
          name: id,
          server: '',
          memoryMB,
          settings: { ...noSettings, where: 'tab', model: id, contextWindow },
          // Weights and working memory: the file is the memory without the cache.
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

/** A GGUF file on the processor. The size of a user's own file is unknown before its server is asked. */
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
      known: url === CPU_MODEL.url ? 'recorded' : 'reported',
    },
  };
}

/** The same offer with the size from the server; unchanged when that is not available. */
export async function measured(way: Way): Promise<Way> {
  if (way.kind !== 'wllama' || way.download === null) return way;
  const bytes = await fileSize(way.settings.baseURL);
  return bytes === null ? way : { ...way, download: { ...way.download, bytes, known: 'reported' } };
}

/** Asks a worker, because only workers may reach servers that the user chose: see the policy in `index.html`. */
async function fileSize(url: string): Promise<number | null> {
  try {
    const worker = new Worker(new URL('../file-size.worker.ts', import.meta.url), { type: 'module' });
    const bytes = await new Promise<number | null>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<number | null>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(url);
    });
    worker.terminate();
    return bytes;
  } catch {
    return null; // no worker could be started
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

/** Memory sizes in MB for which models are listed. */
const SIZES = [4_400, 2_700, 1_900, 1_150];
/** The same for large GPUs. */
const LARGE_SIZES = [7_000, 5_800, ...SIZES];
/** Bytes that a large GPU permits in one buffer. Small ones permit less. */
const LARGE_BUFFER = 2 ** 31 - 4;
/** Gigabytes of memory of a machine with a large GPU; browsers report it in steps, and some not at all. */
const LARGE_MACHINE = 8;

function isLarge(adapter: Adapter | null, deviceMemory: number | undefined): boolean {
  return (
    (adapter?.limits.maxBufferSize ?? 0) >= LARGE_BUFFER && (deviceMemory ?? LARGE_MACHINE) >= LARGE_MACHINE
  );
}

/**
 * The most capable models for a GPU, one per memory size because the real size is unknown, the largest first.
 * `deviceMemory`: gigabytes of the machine, as the browser reports them.
 */
export function offersFor(adapter: Adapter | null, deviceMemory?: number): Offer[] {
  const found = (isLarge(adapter, deviceMemory) ? LARGE_SIZES : SIZES)
    .map((memoryMB) => recommendModel(adapter, { memoryMB }).model)
    .filter((model): model is WebLLMModel => model !== null);
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

/** The same for the GPU of this machine; none without a GPU. */
export async function offersHere(): Promise<Offer[]> {
  try {
    const { gpu, deviceMemory } = navigator as { gpu?: Gpu; deviceMemory?: number };
    return offersFor((await gpu?.requestAdapter()) ?? null, deviceMemory);
  } catch {
    return []; // A browser without an implementation.
  }
}
