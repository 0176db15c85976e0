import type { AttachedFiles } from '../core/attached-files.js';
import { sameBytes } from '../core/bytes.js';
import { describeValue } from '../core/describe-value.js';
import type { DocumentReader } from '../core/document-reader.js';
import { RoleZeroError, toRoleZeroError } from '../core/error.js';
import type { FileInput, SessionFiles } from '../core/files.js';
import { imageType } from '../core/image-type.js';

/*
 * Prepares the files of a request. A module of its own that is loaded with the first file, because most requests have none.
 */

const MAX_ATTACHED_FILES = 20;
/** Maximum size of all files of a request. */
const MAX_ATTACHED_BYTES = 64 * 1024 * 1024;
/** Maximum size of a file that is stored: the default limit of a session. */
const MAX_STORED = 8 * 1024 * 1024;
/** Maximum characters of the text of a document. */
const MAX_DOCUMENT_TEXT = 1_000_000;
/** Maximum characters of a file name. */
const MAX_FILE_NAME = 80;
const UPLOADS_FOLDER = '/uploads';
/** Source of untrusted files. */
const SOURCE = 'attached files';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
/** First bytes by which images are recognized. */
const HEAD_BYTES = 16;

/** Types of documents whose text only a reader can find. */
const DOCUMENT =
  /^application\/(pdf|msword|rtf|epub\+zip|vnd\.(ms-|openxmlformats-officedocument|oasis\.opendocument))/;

/** What the preparation needs besides the files. */
export interface AttachOptions {
  files: Pick<SessionFiles, 'stat' | 'readBytes'>;
  readers: readonly DocumentReader[];
  trusted: boolean;
  /** Reports a file that the model cannot read, or that is not stored. */
  warn: (error: RoleZeroError) => void;
}

/** One prepared file: its line of the note, and what is stored of it. */
interface Prepared {
  line: string;
  stored: FileInput[];
  image: string | null;
  untrusted: readonly string[];
}

/** A file with its type and the name that it gets. */
interface Upload {
  blob: Blob;
  name: string;
  type: string;
}

/**
 * Returns what the worker receives of the files of a request. Sizes are checked before contents are read.
 *
 * @throws RoleZeroError `invalid` for values that are no files and beyond a limit, `not-found` for a path without a file.
 */
export async function attachFiles(
  given: readonly (Blob | string)[],
  options: AttachOptions,
): Promise<AttachedFiles> {
  checkFiles(given);
  const taken = new Set<string>();
  const prepared: Prepared[] = [];
  for (const [index, file] of given.entries())
    prepared.push(
      typeof file === 'string'
        ? await ofSession(file, options)
        : await uploaded(await uploadOf(file, index), taken, options),
    );
  const isNew = given.some((file) => typeof file !== 'string');
  const own = isNew && !options.trusted ? [SOURCE] : [];
  return {
    note: ['Attached files:', ...prepared.map(({ line }) => `- ${line}`)].join('\n'),
    images: prepared.flatMap(({ image }) => image ?? []),
    untrusted: [...new Set([...own, ...prepared.flatMap(({ untrusted }) => untrusted)])],
    files: prepared.flatMap(({ stored }) => stored.map((file) => ({ ...file, untrusted: own }))),
  };
}

function checkFiles(given: readonly unknown[]): void {
  if (!Array.isArray(given))
    throw attachmentError(
      `\`files\` must be a list, but is ${describeValue(given)}. Write files: [...files].`,
    );
  const index = given.findIndex((file) => typeof file !== 'string' && !(file instanceof Blob));
  if (index >= 0)
    throw attachmentError(
      `\`files[${index}]\` must be a File, a Blob or the path of a file, but is ${describeValue(given[index])}.`,
    );
  if (given.length > MAX_ATTACHED_FILES)
    throw attachmentError(
      `The request has ${given.length} files, at most ${MAX_ATTACHED_FILES} are accepted. Import more with session.files.writeAll.`,
    );
  const bytes = given.reduce<number>((sum, file) => sum + (file instanceof Blob ? file.size : 0), 0);
  if (bytes > MAX_ATTACHED_BYTES)
    throw attachmentError(
      `The files of the request have ${bytes} bytes, at most ${MAX_ATTACHED_BYTES} are accepted. Send fewer or smaller files.`,
      { bytes },
    );
}

/** A file that the session has already. */
async function ofSession(path: string, { files }: AttachOptions): Promise<Prepared> {
  const info = await files.stat(path);
  if (info === null)
    throw new RoleZeroError(
      'not-found',
      `There is no file ${path} in the session, so it cannot be attached. Give a File to add one.`,
      { path },
    );
  if (info.type === 'directory')
    throw attachmentError(`${path} is a directory. Attach files, or name it in the request.`);
  const isImage =
    info.size <= MAX_STORED && imageType((await files.readBytes(path)).subarray(0, HEAD_BYTES)) !== null;
  return {
    line: `${info.path} (${info.size} bytes)`,
    stored: [],
    image: isImage ? info.path : null,
    untrusted: info.untrusted ?? [],
  };
}

async function uploadOf(blob: Blob, index: number): Promise<Upload> {
  const head = new Uint8Array(await blob.slice(0, HEAD_BYTES).arrayBuffer());
  const given = blob instanceof File ? blob.name : '';
  const type = imageType(head) ?? documentType(head, given) ?? mediaType(blob);
  return { blob, type, name: safeName(given) || `file-${index + 1}${extensionOf(type)}` };
}

/**
 * Returns the type of a PDF or Word document by its first bytes: files without an extension have no type, and Word documents have none where
 * Word is not installed.
 */
function documentType(head: Uint8Array, name: string): string | null {
  const start = new TextDecoder().decode(head.subarray(0, 5));
  if (start === '%PDF-') return 'application/pdf';
  return start.startsWith('PK\x03\x04') && /\.docx$/i.test(name) ? DOCX : null;
}

/** Returns the type that a file states, if it is one: the model reads it. */
function mediaType({ type }: Blob): string {
  const [name = ''] = type.split(';');
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(name) ? name : 'application/octet-stream';
}

/** A file that the session receives: an image, a document with a reader, text, or anything else. */
async function uploaded(upload: Upload, taken: Set<string>, options: AttachOptions): Promise<Prepared> {
  const { blob, name, type } = upload;
  const image = type.startsWith('image/') ? await scaleImage(blob, type) : null;
  if (image !== null) return imageFile(upload, image, taken, options);
  const text = await documentText(upload, options);
  const original = `${name}, ${type}, ${blob.size} bytes`;
  const stored =
    blob.size <= MAX_STORED ? await fileAtFreePath(name, await readBlob(blob), taken, options) : null;
  if (text !== null) {
    const file = await fileAtFreePath(`${name}.txt`, text, taken, options);
    return preparedOf(`${file.path} (text of ${original})`, stored === null ? [file] : [file, stored]);
  }
  if (stored !== null) return preparedOf(`${stored.path} (${type}, ${blob.size} bytes)`, [stored]);
  if (type.startsWith('text/'))
    throw attachmentError(
      `${name} has ${blob.size} bytes, at most ${MAX_STORED} of a text are accepted. Split it.`,
      {
        name,
        bytes: blob.size,
      },
    );
  const limit = `at most ${MAX_STORED} of a file are stored`;
  const message = `${name} has ${blob.size} bytes, and ${limit}: the model receives its name only. Attach a smaller file.`;
  options.warn(attachmentError(message, { name, bytes: blob.size }));
  return preparedOf(`${original}, too large to be stored`, []);
}

async function imageFile(
  { name, type }: Upload,
  image: Blob,
  taken: Set<string>,
  options: AttachOptions,
): Promise<Prepared> {
  const renamed = image.type === type ? name : name.replace(/\.\w+$/, '') + extensionOf(image.type);
  const file = await fileAtFreePath(renamed, await readBlob(image), taken, options);
  return { ...preparedOf(`${file.path} (${image.type}, ${image.size} bytes)`, [file]), image: file.path };
}

/** Returns the text of a document; null without a reader, and for a document that the reader rejects or that has no text. */
async function documentText(
  { blob, name, type }: Upload,
  { readers, warn }: AttachOptions,
): Promise<string | null> {
  const reader = readers.find(({ types }) => types.includes(type));
  if (reader === undefined) {
    if (DOCUMENT.test(type))
      warn(
        attachmentError(
          `No reader for ${type}: the model cannot read the text of ${name}. Give connect({ readers }) one, or attach it as text.`,
          { name, type },
        ),
      );
    return null;
  }
  try {
    const text = (await reader.read(blob)).trim();
    if (text !== '') return text.slice(0, MAX_DOCUMENT_TEXT);
    warn(
      attachmentError(`${name} has no text: the model receives its name only. A scan needs an image.`, {
        name,
        type,
      }),
    );
    return null;
  } catch (error) {
    const { code, message } = toRoleZeroError(error, 'invalid');
    warn(new RoleZeroError(code, `The text of ${name} cannot be read: ${message}`, { name }, error));
    return null;
  }
}

/** Returns a file to store under a free path, or under the path that has the same content already. */
async function fileAtFreePath(
  name: string,
  content: string | Uint8Array,
  taken: Set<string>,
  { files }: AttachOptions,
): Promise<{ path: string; content: string | Uint8Array }> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const [, stem = name, extension = ''] = /^(.+?)((?:\.\w+){0,2})$/.exec(name) ?? [];
  for (let number = 1; ; number++) {
    const path = `${UPLOADS_FOLDER}/${number === 1 ? name : `${stem}-${number}${extension}`}`;
    if (taken.has(path)) continue;
    const info = await files.stat(path);
    const isFree =
      info === null || (info.size === bytes.length && sameBytes(await files.readBytes(path), bytes));
    if (!isFree) continue;
    taken.add(path);
    return { path, content };
  }
}

function preparedOf(line: string, stored: FileInput[]): Prepared {
  return { line, stored, image: null, untrusted: [] };
}

async function readBlob(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer());
}

/** Returns the name of a file without characters that paths, prompts and shells give a meaning. */
function safeName(name: string): string {
  const safe = name.normalize().replaceAll(/[^\p{L}\p{N}._-]+/gu, '-');
  return safe.slice(-MAX_FILE_NAME).replace(/^[.-]+/, '');
}

/** Returns the usual extension of a type: `.png`. */
function extensionOf(type: string): string {
  const [, name = ''] = /\/([a-z0-9]{2,5})$/.exec(type) ?? [];
  return name === '' ? '' : `.${name === 'jpeg' ? 'jpg' : name === 'plain' ? 'txt' : name}`;
}

function attachmentError(message: string, detail: Record<string, unknown> = {}): RoleZeroError {
  return new RoleZeroError('invalid', message, detail);
}

/** Pixels of the longer side; services scale larger images down themselves. */
const MAX_SIDE = 2_048;
/** Bytes up to which an image of a common type stays as it is. */
const MAX_UNCHANGED = 1024 * 1024;
/** Bytes of a scaled image; most services reject larger ones. */
const MAX_IMAGE = 4 * 1024 * 1024;
/** Types that every model service reads. */
const COMMON: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);
/** Sizes to try until the image is small enough. */
const SHARES = [1, 0.5, 0.25];

/**
 * Returns an image that model services accept: WebP, or PNG where the browser writes no WebP, scaled down where it is large. Small PNG, JPEG
 * and WebP images stay as they are. Returns null when the browser cannot decode it.
 */
async function scaleImage(file: Blob, type: string): Promise<Blob | null> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return null;
  }
  try {
    const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
    if (scale === 1 && file.size <= MAX_UNCHANGED && COMMON.has(type)) return file.slice(0, file.size, type);
    for (const share of SHARES) {
      const image = await drawn(bitmap, scale * share);
      if (image.size <= MAX_IMAGE) return image;
    }
    return null;
  } finally {
    bitmap.close();
  }
}

async function drawn(bitmap: ImageBitmap, scale: number): Promise<Blob> {
  const size = (pixels: number): number => Math.max(1, Math.round(pixels * scale));
  const canvas = new OffscreenCanvas(size(bitmap.width), size(bitmap.height));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/webp', quality: 0.85 });
}
