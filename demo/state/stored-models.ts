import { isRecord } from './is-record.js';

/** A model that was downloaded into this browser. */
export interface StoredModel {
  kind: 'web-llm' | 'wllama';
  /** The address of its folder (web-llm) or of its file (wllama). */
  url: string;
  name: string;
  /** Stored bytes. */
  bytes: number;
  /** All of its files are stored: it can be used without a network. */
  isComplete: boolean;
}

/** The caches of web-llm. */
const WEIGHTS = 'webllm/model';
const CONFIGS = 'webllm/config';
/** The file with the list of the files of a model. */
const MANIFEST = 'tensor-cache.json';
/** The folder of wllama in the origin private file system, and its prefix of the files about a file. */
const FOLDER = 'cache';
const ABOUT = '__metadata__';

/** Lists the downloaded models. It reads what the engines have stored, because loading an engine takes megabytes. */
export async function storedModels(): Promise<StoredModel[]> {
  const all = await Promise.all([webLlmModels().catch(() => []), wllamaModels().catch(() => [])]);
  return all.flat();
}

/** Deletes a downloaded model. */
export async function removeStored({ kind, url }: StoredModel): Promise<void> {
  if (kind === 'wllama') return removeFile(url);
  for (const name of [WEIGHTS, CONFIGS]) {
    const cache = await caches.open(name);
    const own = (await cache.keys()).filter((request) => request.url.startsWith(url));
    await Promise.all(own.map((request) => cache.delete(request)));
  }
}

async function webLlmModels(): Promise<StoredModel[]> {
  if (!(await caches.has(WEIGHTS))) return [];
  const cache = await caches.open(WEIGHTS);
  const urls = (await cache.keys()).map(({ url }) => url);
  const folders = new Set(urls.map((url) => url.slice(0, url.lastIndexOf('/') + 1)));
  return Promise.all([...folders].map((folder) => webLlmModel(cache, folder, new Set(urls))));
}

async function webLlmModel(cache: Cache, folder: string, urls: ReadonlySet<string>): Promise<StoredModel> {
  const manifest: unknown = await cache.match(folder + MANIFEST).then((found) => found?.json());
  const records = isRecord(manifest) && Array.isArray(manifest['records']) ? manifest['records'] : [];
  const parts = records.filter(isRecord).map(({ dataPath, nbytes }) => ({
    url: folder + String(dataPath),
    bytes: Number(nbytes),
  }));
  const stored = parts.filter(({ url }) => urls.has(url));
  return {
    kind: 'web-llm',
    url: folder,
    name: /\/([^/]+)\/resolve\//.exec(folder)?.[1] ?? folder,
    bytes: stored.reduce((sum, { bytes }) => sum + bytes, 0),
    isComplete: parts.length > 0 && stored.length === parts.length,
  };
}

async function wllamaModels(): Promise<StoredModel[]> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(FOLDER);
  const models: StoredModel[] = [];
  for await (const [name, handle] of folder.entries()) {
    if (name.startsWith(ABOUT) || !isFile(handle)) continue;
    const about = await aboutFile(folder, name);
    const { size } = await handle.getFile();
    models.push({
      kind: 'wllama',
      url: about?.url ?? name,
      name: /([^/]+?)(?:\.gguf)?(?:[?#].*)?$/.exec(about?.url ?? name)?.[1] ?? name,
      bytes: size,
      isComplete: about !== null && size === about.bytes,
    });
  }
  return models;
}

async function removeFile(url: string): Promise<void> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(FOLDER);
  for await (const name of folder.keys()) {
    if (name.startsWith(ABOUT)) continue;
    if (name !== url && (await aboutFile(folder, name))?.url !== url) continue;
    await folder.removeEntry(name);
    await folder.removeEntry(ABOUT + name).catch(() => {}); // A file that is not complete has none.
  }
}

/** Returns the address of a stored file and its complete size. */
async function aboutFile(
  folder: FileSystemDirectoryHandle,
  name: string,
): Promise<{ url: string; bytes: number } | null> {
  try {
    const file = await (await folder.getFileHandle(ABOUT + name)).getFile();
    const about: unknown = JSON.parse(await file.text());
    if (!isRecord(about) || typeof about['originalURL'] !== 'string') return null;
    return { url: about['originalURL'], bytes: Number(about['originalSize']) };
  } catch {
    return null;
  }
}

function isFile(handle: FileSystemHandle): handle is FileSystemFileHandle {
  return handle.kind === 'file';
}

/** The bytes that this site may still store; null when the browser does not say. */
export async function freeSpace(): Promise<number | null> {
  try {
    const { quota, usage } = await navigator.storage.estimate();
    return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage);
  } catch {
    return null;
  }
}
