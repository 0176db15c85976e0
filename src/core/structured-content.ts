import { RoleZeroError } from './error.js';
import { isRecord, type JsonValue } from './json.js';

/**
 * Typed content in addition to a message's text. `type` names a schema registered with `registerContentType`, or one that `mapping`
 * describes inline (field → type name). No code is evaluated to rebuild it.
 */
export interface StructuredContent {
  type: string | null;
  value: JsonValue;
  mapping?: Record<string, JsonValue>;
}

/** Checks and returns a value of a registered type. Throws when it does not match. */
export type ContentReader = (value: JsonValue) => JsonValue;

const readers = new Map<string, ContentReader>();

/** Registers a type of structured content by name. A later registration of the same name replaces the earlier one. */
export function registerContentType(name: string, read: ContentReader): void {
  readers.set(name, read);
}

export function dumpStructured(content: StructuredContent): JsonValue {
  if (content.type === null)
    return isMistakable(content.value) ? { class: null, value: content.value } : content.value;
  return content.mapping === undefined
    ? { class: content.type, module: 'registry', value: content.value }
    : { class: content.type, mapping: content.mapping, value: content.value };
}

/** Returns whether a plain value would be read back as typed content or as no content. */
function isMistakable(value: JsonValue): boolean {
  return value === null || (isRecord(value) && Object.hasOwn(value, 'class'));
}

/** Accepts any JSON value unchanged. A value that names a `class` must state how to find it. */
export function loadStructured(data: JsonValue): StructuredContent {
  if (isRecord(data) && data['class'] === null && data['value'] !== undefined)
    return { type: null, value: data['value'] };
  if (!isRecord(data) || typeof data['class'] !== 'string') return { type: null, value: data };
  const type = data['class'];
  const value = data['value'] ?? null;
  if (isRecord(data['mapping'])) return { type, value, mapping: data['mapping'] };
  if (data['module'] === undefined) {
    throw new RoleZeroError(
      'invalid',
      `Structured content of type "${type}" cannot be read: the key "module" is missing (or "mapping", which describes its fields).`,
      { type, missing: 'module' },
    );
  }
  const read = readers.get(type);
  if (read === undefined) {
    throw new RoleZeroError(
      'invalid',
      `Structured content of type "${type}" is not registered. Call registerContentType("${type}", …) before loading it.`,
      { type },
    );
  }
  return { type, value: read(value) };
}
