import type { DialogPolicy } from '../../protocol.js';

/**
 * Handshake between a site's driver and an application. The driver announces itself (`DriverHere`) to its ancestor windows, but only to
 * origins that its site has listed. The application replies to the site's origin with a port (`Drive`). From then on, both sides use only
 * the port. Both sides ignore messages from unexpected windows and origins.
 */
export interface DriverHere {
  rolezero: 'driver';
  url: string;
  /** True if the document had finished loading at the time of the announcement. */
  loaded: boolean;
}

export interface Drive {
  rolezero: 'drive';
  /** First element id to use. */
  firstId: number;
  dialogs: DialogPolicy;
  /** Milliseconds without activity after which the page counts as quiet; null uses the default. */
  quiet: number | null;
  /** Prefix of the ids in a frame inside a driven page. */
  prefix: string;
}

/** Parses an announcement of a driver; null for any other message. */
export function readHere(data: unknown): DriverHere | null {
  if (typeof data !== 'object' || data === null) return null;
  const { rolezero, url, loaded } = data as Partial<Record<keyof DriverHere, unknown>>;
  return rolezero === 'driver' && typeof url === 'string' ? { rolezero, url, loaded: loaded === true } : null;
}

/** Parses the start message for a driver; null for any other message. */
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
