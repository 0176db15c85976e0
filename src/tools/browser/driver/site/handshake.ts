import type { DialogPolicy } from '../../protocol.js';

/**
 * How a site's own driver and whoever may drive it find each other. The driver tells the windows around it, those of the origins its site
 * has named and no others, that it is there (`DriverHere`). Who is meant answers to the site's origin with a port (`Drive`), and from then
 * on only the port is used. Neither side takes a word from a window or of an origin that it did not expect.
 */
export interface DriverHere {
  rolezero: 'driver';
  url: string;
  /** The document was done loading when it told. */
  loaded: boolean;
}

export interface Drive {
  rolezero: 'drive';
  /** Ids start here. */
  firstId: number;
  dialogs: DialogPolicy;
  /** Milliseconds. */
  quiet: number | null;
  /** What stands before the ids of a frame inside a driven page. */
  prefix: string;
}

/** A driver that says that it is there; null for any other message. */
export function readHere(data: unknown): DriverHere | null {
  if (typeof data !== 'object' || data === null) return null;
  const { rolezero, url, loaded } = data as Partial<Record<keyof DriverHere, unknown>>;
  return rolezero === 'driver' && typeof url === 'string' ? { rolezero, url, loaded: loaded === true } : null;
}

/** What a driver is to begin with; null for any other message. */
export function readDrive(data: unknown): Drive | null {
  if (typeof data !== 'object' || data === null) return null;
  const { rolezero, firstId, dialogs, quiet, prefix } = data as Partial<Record<keyof Drive, unknown>>;
  if (rolezero !== 'drive' || typeof firstId !== 'number' || typeof prefix !== 'string') return null;
  const { accept, text } = (dialogs ?? {}) as Partial<Record<keyof DialogPolicy, unknown>>;
  return {
    rolezero,
    firstId,
    prefix,
    dialogs: { accept: accept === true, text: typeof text === 'string' ? text : null },
    quiet: typeof quiet === 'number' ? quiet : null,
  };
}
