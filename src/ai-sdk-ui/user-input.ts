import type { ClientSession } from '../client/session.js';
import { RoleZeroError } from '../core/error.js';
import type { Question } from '../core/human.js';
import type { SendOptions } from '../core/message.js';
import { newId } from '../core/new-id.js';
import { isToolPart, outputText } from './tool-calls.js';
import { asksUser, type SessionUIMessage } from './ui-message.js';

type FilePart = Extract<SessionUIMessage['parts'][number], { type: 'file' }>;

/** Folder for the files of an answer. */
const UPLOADS = '/uploads';

/** Returns the answer to the open question that the user gave in the parts of a response; null when there is none. */
export function answerIn({ parts }: SessionUIMessage, { id, kind }: Question): string | null {
  const tools = parts.filter(isToolPart);
  if (kind === 'approval') {
    const part = tools.find(({ approval }) => approval?.id === id);
    return part?.state === 'approval-responded' ? approvalAnswer(part.approval) : null;
  }
  const part = tools.findLast(({ toolName }) => asksUser(toolName));
  return part?.state === 'output-available' ? outputText(part.output) : null;
}

/** What the reason of a yes can say: how long it holds, or other arguments. */
const KIND_OF_YES = /^(?:once|run|session|edited [^]+)$/;

/** Returns the answer to an approval request. The model reads the reason of a no. */
function approvalAnswer({
  approved,
  reason = '',
}: {
  approved: boolean;
  reason?: string | undefined;
}): string {
  const text = reason.trim();
  if (approved) return KIND_OF_YES.test(text) ? text : 'yes';
  return text === '' ? 'no' : `no: ${text}`;
}

/**
 * Returns the text and the files of a user's message.
 *
 * @throws RoleZeroError `invalid` for a file that is no data URL.
 */
export function requestIn({ parts }: SessionUIMessage): { text: string; files: File[] } {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const files = parts.filter((part) => part.type === 'file').map(decodeFile);
  return { text: texts.join('\n') || (files.length === 0 ? '' : 'See the attached files.'), files };
}

/** Returns the answer to a question in a user's message. Its files are stored in a new folder, which the answer names. */
export async function answerWithFiles(
  { text, files }: ReturnType<typeof requestIn>,
  session: ClientSession,
  { trusted = false }: Pick<SendOptions, 'trusted'>,
): Promise<string> {
  if (files.length === 0) return text;
  const folder = `${UPLOADS}/${newId().slice(0, 8)}`;
  const contents = await Promise.all(files.map(async (file) => new Uint8Array(await file.arrayBuffer())));
  await session.files.writeAll(
    contents.map((content, index) => ({
      path: `${folder}/${index + 1}-${safeFileName(files[index])}`,
      content,
    })),
    trusted ? {} : { untrusted: 'attached files' },
  );
  return `${text}\n\nThe files of this answer are in ${folder}.`; // their names may be somebody else's words
}

function safeFileName(file: File | undefined): string {
  return (file?.name ?? 'file').replaceAll(/[^\p{L}\p{N}._-]+/gu, '-');
}

function decodeFile({ url, filename = '', mediaType: type }: FilePart): File {
  if (!url.startsWith('data:'))
    throw new RoleZeroError(
      'invalid',
      `The file ${filename} has the address ${url.slice(0, 80)}. Only data URLs can be sent.`,
      { filename },
    );
  return new File([decodeDataUrl(url)], filename, { type });
}

/** Decodes a data URL. Not with `fetch`, which a Content-Security-Policy may forbid. */
function decodeDataUrl(url: string): Uint8Array<ArrayBuffer> {
  const comma = url.indexOf(',');
  const data = url.slice(comma + 1);
  if (!url.slice(0, comma).endsWith(';base64')) return new TextEncoder().encode(decodeURIComponent(data));
  return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
}
