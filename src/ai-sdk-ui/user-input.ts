import type { ClientSession } from '../client/session.js';
import { RoleZeroError } from '../core/error.js';
import type { Question } from '../core/human.js';
import { isToolPart, outputText } from './tool-calls.js';
import { asksUser, type SessionUIMessage } from './ui-message.js';

/** Folder for the files of a user's message. */
const UPLOADS = '/uploads';

/** Returns the answer to the open question that the user gave in the parts of a response; null when there is none. */
export function answerIn({ parts }: SessionUIMessage, { id, kind }: Question): string | null {
  const tools = parts.filter(isToolPart);
  if (kind === 'approval') {
    const part = tools.find(({ approval }) => approval?.id === id);
    return part?.state === 'approval-responded' ? (part.approval.approved ? 'yes' : 'no') : null;
  }
  const part = tools.findLast(({ toolName }) => asksUser(toolName));
  return part?.state === 'output-available' ? outputText(part.output) : null;
}

/**
 * Returns the text of a user's message, and writes its files to the session, which it then names.
 *
 * @throws RoleZeroError `invalid` for a file that is no data URL.
 */
export async function requestIn({ parts }: SessionUIMessage, session: ClientSession): Promise<string> {
  const words = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const paths: string[] = [];
  for (const part of parts) {
    if (part.type !== 'file') continue;
    const { url, filename = `file-${paths.length + 1}` } = part;
    if (!url.startsWith('data:'))
      throw new RoleZeroError(
        'invalid',
        `The file ${filename} has the address ${url.slice(0, 80)}. Only data URLs can be sent.`,
        { filename },
      );
    const path = `${UPLOADS}/${filename.replaceAll(/[/\\]/g, '_')}`;
    await session.files.write(path, bytesOf(url));
    paths.push(path);
  }
  return paths.length === 0 ? words : `${words}\n\nFiles of this message: ${paths.join(', ')}`;
}

/** Decodes a data URL. Not with `fetch`, which a Content-Security-Policy may forbid. */
function bytesOf(url: string): Uint8Array<ArrayBuffer> {
  const comma = url.indexOf(',');
  const data = url.slice(comma + 1);
  if (!url.slice(0, comma).endsWith(';base64')) return new TextEncoder().encode(decodeURIComponent(data));
  return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
}
