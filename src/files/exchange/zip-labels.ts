import { isRecord } from '../../core/json.js';
import { MAX_SOURCE, MAX_SOURCES } from '../../core/sources.js';

/** Id of the extra field of a zip entry that records the untrusted sources of a file; not among those that APPNOTE 6.3 lists. */
const LABEL_FIELD = 0x5a52;

/** Returns the extra fields of an entry. Other programs ignore them. */
export function labelFields(
  untrusted: readonly string[] | undefined,
): Record<number, Uint8Array> | undefined {
  if (untrusted === undefined || untrusted.length === 0) return undefined;
  const sources = untrusted.slice(0, MAX_SOURCES).map((source) => source.slice(0, MAX_SOURCE));
  return { [LABEL_FIELD]: new TextEncoder().encode(JSON.stringify({ untrusted: sources })) };
}

/** Reads the sources from the extra fields of an entry. Fields that are damaged, or written by others, are ignored. */
export function readLabels(extra: Uint8Array): string[] {
  const view = new DataView(extra.buffer, extra.byteOffset, extra.byteLength);
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === LABEL_FIELD) return sourcesIn(extra.subarray(at + 4, end));
    at = end;
  }
  return [];
}

function sourcesIn(bytes: Uint8Array): string[] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const sources: unknown = isRecord(value) ? value['untrusted'] : null;
    if (!Array.isArray(sources)) return [];
    const texts = sources.filter((source): source is string => typeof source === 'string' && source !== '');
    return texts.slice(0, MAX_SOURCES).map((source) => source.slice(0, MAX_SOURCE));
  } catch {
    return []; // not ours
  }
}
