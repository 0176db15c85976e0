import LightningFS from '@isomorphic-git/lightning-fs';
import { BlobReader, configure, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { unzipSync } from 'fflate';
import JSZip from 'jszip';
import { InMemoryFs } from 'just-bash/browser';
import { memfs, zenPromises, type NodeLike } from './optional-peers.mjs';
import { VirtualFiles } from '../../src/files/virtual-files.js';

/** A file system as the benchmark uses it. */
export interface Peer {
  name: string;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  /** Paths of all files. */
  list(): Promise<string[]>;
}

/** Ours as a command uses it: stages each change, passes it to a store, and applies it. */
export function ours(): Peer {
  const files = new VirtualFiles({ now: () => 0 });
  return {
    name: 'rolezero',
    async write(path, text) {
      const stage = files.stage();
      await stage.write(path, text);
      stage.changes({ by: 'agent', name: 'Editor.write', id: 'a.0.0' });
      stage.apply();
    },
    read: (path) => files.read(path),
    list: async () => {
      const all = await files.list('/', { recursive: true });
      return all.filter(({ type }) => type === 'file').map(({ path }) => path);
    },
  };
}

export function justBash(): Peer {
  const files = new InMemoryFs();
  return {
    name: 'just-bash InMemoryFs',
    write: (path, text) => files.writeFile(path, text),
    read: (path) => files.readFile(path),
    async list() {
      const paths: string[] = [];
      const look = async (directory: string): Promise<void> => {
        for (const { name, isDirectory } of await files.readdirWithFileTypes(directory)) {
          const path = `${directory === '/' ? '' : directory}/${name}`;
          if (isDirectory) await look(path);
          else paths.push(path);
        }
      };
      await look('/project');
      return paths;
    },
  };
}

function nodeLike(name: string, fs: NodeLike): Peer {
  const made = new Set<string>();
  const makeDirectories = async (path: string): Promise<void> => {
    for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
      const directory = path.slice(0, at);
      if (!made.has(directory)) await fs.mkdir(directory);
      made.add(directory);
    }
  };
  return {
    name,
    async write(path, text) {
      await makeDirectories(path);
      await fs.writeFile(path, text);
    },
    read: async (path) => (await fs.readFile(path, 'utf8')) as string,
    async list() {
      const paths: string[] = [];
      const look = async (directory: string): Promise<void> => {
        for (const entry of (await fs.readdir(directory)) as string[]) {
          const path = `${directory}/${entry}`;
          if ((await fs.stat(path)).isDirectory()) await look(path);
          else paths.push(path);
        }
      };
      await look('/project');
      return paths;
    },
  };
}

export function memoryFs(): Peer {
  return nodeLike('memfs', memfs());
}

/** Its mount at / is in memory and shared: files of an earlier task are removed first. */
export function zenFs(): Peer {
  const peer = nodeLike('@zenfs/core InMemory', zenPromises);
  let emptied: Promise<void> | null = null;
  return {
    ...peer,
    async write(path, text) {
      await (emptied ??= zenPromises.rm('/project', { recursive: true, force: true }));
      await peer.write(path, text);
    },
  };
}

/** Writes through to IndexedDB. Ours does so with each commit, the others never. */
export function lightningFs(): Peer {
  const { promises } = new LightningFS(`bench-${crypto.randomUUID()}`);
  return nodeLike('lightning-fs (in IndexedDB)', promises);
}

/** Unpacks an archive into memory. Returns the number of files and bytes. */
export type Unpack = (archive: Blob) => Promise<{ files: number; bytes: number }>;

function sum(contents: readonly Uint8Array[]): { files: number; bytes: number } {
  return { files: contents.length, bytes: contents.reduce((total, { length }) => total + length, 0) };
}

export const unpackers: Record<string, Unpack> = {
  'fflate unzipSync (no checksums)': async (archive) =>
    sum(Object.values(unzipSync(new Uint8Array(await archive.arrayBuffer())))),
  jszip: async (archive) => {
    const zip = await JSZip.loadAsync(archive, { checkCRC32: true });
    const contents: Uint8Array[] = [];
    for (const file of Object.values(zip.files)) if (!file.dir) contents.push(await file.async('uint8array'));
    return sum(contents);
  },
  'zip.js': async (archive) => {
    configure({ useWebWorkers: false });
    const reader = new ZipReader(new BlobReader(archive), { checkCrc32: true });
    const contents: Uint8Array[] = [];
    for (const entry of await reader.getEntries())
      if (!entry.directory) contents.push(await entry.getData(new Uint8ArrayWriter()));
    await reader.close();
    return sum(contents);
  },
};
