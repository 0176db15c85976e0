import { describe } from '../../../core/error.js';
import type { ReadableFiles } from '../../../core/page-tool.js';
import { decodeText } from '../../../core/text-encoding.js';
import { parseUrl, WORKSPACE_ORIGIN, workspacePath } from './addresses.js';

/** Content at an address. `status` is an HTTP status, or 0 if the request was not possible. */
export interface Fetched {
  status: number;
  /** Final address, after redirects. */
  url: string;
  /** Media type. */
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Reason why there is no content. */
  problem?: string;
}

/** Result of an application's reader for a page or one of its resources: text or bytes. The type defaults to HTML. */
type ReadPage = string | { content: string | Uint8Array; type?: string; url?: string; status?: number };

/** Fetches a document or resource for a page, for example through your own proxy. Rejects if it cannot be loaded. */
export type PageReader = (url: string, signal: AbortSignal) => ReadPage | Promise<ReadPage>;

/** Maximum bytes of one file or response. */
const MAX_RESOURCE_BYTES = 16_000_000;

/** Loads what a page requests. */
export type PageSource = (url: URL, signal: AbortSignal) => Promise<Fetched>;

/** Serves the session's files in the way of a plain web server. */
export function workspaceSource(files: Pick<ReadableFiles, 'stat' | 'readBytes'>): PageSource {
  return async (url) => {
    const path = workspacePath(url) ?? '/';
    try {
      const info = await files.stat(path);
      if (info === null) return missing(url, `There is no file ${path}.`);
      if (info.type === 'directory') {
        const index = new URL(url);
        index.pathname = `${index.pathname.replace(/\/$/, '')}/index.html`;
        const inside = workspacePath(index) ?? '/';
        if ((await files.stat(inside))?.type !== 'file')
          return missing(url, `${path} is a directory without an index.html.`);
        return await readSessionFile(files, inside, index);
      }
      return await readSessionFile(files, path, url);
    } catch (error) {
      return missing(url, describe(error));
    }
  };
}

async function readSessionFile(
  files: Pick<ReadableFiles, 'readBytes'>,
  path: string,
  url: URL,
): Promise<Fetched> {
  const bytes = await files.readBytes(path);
  if (bytes.length > MAX_RESOURCE_BYTES) return missing(url, `${path} is too large for a page.`);
  return { status: 200, url: url.href, type: mediaTypeOf(path), bytes: new Uint8Array(bytes) };
}

/** Loads pages with the application's reader. */
export function readerSource(reader: PageReader): PageSource {
  return async (url, signal) => {
    try {
      const given = await reader(url.href, signal);
      const {
        content,
        type,
        url: found,
        status = 200,
      } = typeof given === 'string' ? { content: given } : given;
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
      if (bytes.length > MAX_RESOURCE_BYTES) return missing(url, 'It is too large.');
      const otherwise = mediaTypeOf(url.pathname);
      return {
        status,
        url: found === undefined ? url.href : (parseUrl(found, url)?.href ?? url.href),
        type:
          type?.split(';')[0]?.trim() ?? (otherwise === 'application/octet-stream' ? 'text/html' : otherwise),
        bytes,
      };
    } catch (error) {
      return { ...missing(url, describe(error)), status: 0 };
    }
  };
}

function missing(url: URL, problem: string): Fetched {
  return { status: 404, url: url.href, type: 'text/plain', bytes: new Uint8Array(), problem };
}

/** Source for sites, which load files from their own server. */
export const NO_SOURCE: PageSource = (url) =>
  Promise.resolve(unavailablePage(url, 'it could not be read from here'));

/** Returns the source for the resources of a page. Pages of session files can load only session files, and no other page can load those. */
export function sourceFor(page: URL, source: PageSource): PageSource {
  return (url, signal) =>
    (url.origin === WORKSPACE_ORIGIN) === (page.origin === WORKSPACE_ORIGIN)
      ? source(url, signal)
      : Promise.resolve(unavailablePage(url, 'pages have no network'));
}

function unavailablePage(url: URL, problem: string): Fetched {
  return { status: 0, url: url.href, type: '', bytes: new Uint8Array(), problem };
}

/** Returns the text of a file of a page, without its byte order mark. A file that is not UTF-8 has the encoding that its bytes show. */
export function decodePageText(bytes: Uint8Array): string {
  const text = decodeText(bytes)?.text ?? new TextDecoder().decode(bytes);
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
  map: 'application/json',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  webm: 'video/webm',
  vtt: 'text/vtt',
  wasm: 'application/wasm',
  pdf: 'application/pdf',
  zip: 'application/zip',
};

/** Returns the media type for a file's extension; `application/octet-stream` if unknown. */
export function mediaTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  return Object.hasOwn(MEDIA_TYPES, extension) ? (MEDIA_TYPES[extension] ?? '') : 'application/octet-stream';
}
