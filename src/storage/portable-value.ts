import { fromBase64, toBase64 } from '../core/bytes.js';
import { RoleZeroError } from '../core/error.js';
import type { JsonValue } from '../core/json.js';

/**
 * Converts record values to JSON and back. JSON values stay unchanged, so that an export is readable. Any other structured-cloneable value
 * becomes an object with one member whose name starts with `$`: `{ "$bytes": "AAEC" }`. A plain object that has this form is wrapped: `{
 * "$object": { "$bytes": 1 } }`.
 *
 * Non-goals: blobs, errors, regular expressions, cycles (no record has them), and a member called `__proto__`, which is omitted on export
 * and rejected on import.
 */

/** Maximum nesting depth of a value. */
const maximumDepth = 500;

/** Converts a value to its portable form. @throws RoleZeroError `invalid` when a part of it has none. */
export function toPortable(value: unknown, depth = 0): JsonValue {
  if (depth > maximumDepth) {
    throw portableError(`is nested deeper than ${maximumDepth} levels, or contains itself`);
  }
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { $number: Object.is(value, -0) ? '-0' : String(value) };
    case 'undefined':
      return { $undefined: true };
    case 'bigint':
      return { $bigint: value.toString() };
    case 'object':
      return value === null ? null : objectToPortable(value, depth);
    default:
      throw portableError(`contains a ${typeof value}`);
  }
}

/**
 * Converts a portable form back to a new value, which shares no object with `portable`.
 * @throws RoleZeroError `invalid` naming the invalid place below `place`.
 */
export function fromPortable(portable: unknown, place: string, depth = 0): unknown {
  if (depth > maximumDepth) throw portableError(`is nested deeper than ${maximumDepth} levels`, place);
  switch (typeof portable) {
    case 'string':
    case 'boolean':
    case 'number':
      return portable;
    case 'object':
      break;
    default:
      throw portableError(`is a ${typeof portable}, which no JSON document holds`, place);
  }
  if (portable === null) return null;
  if (Array.isArray(portable)) {
    return portable.map((item: unknown, index) => fromPortable(item, `${place}[${index}]`, depth + 1));
  }
  const members = Object.entries(portable);
  const [only] = members;
  if (members.length === 1 && only?.[0].startsWith('$')) return untag(only[0], only[1], place, depth);
  return objectFromPortable(members, place, depth);
}

function objectToPortable(value: object, depth: number): JsonValue {
  if (Array.isArray(value)) return Array.from(value, (item) => toPortable(item, depth + 1));
  if (value instanceof Uint8Array) return { $bytes: toBase64(value) };
  if (value instanceof Float32Array) {
    return { $floats: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
  }
  if (value instanceof Date) return { $date: toPortable(value.getTime()) };
  if (value instanceof Set) return { $set: Array.from(value, (item) => toPortable(item, depth + 1)) };
  if (value instanceof Map) {
    return {
      $map: Array.from(value, ([key, item]) => [toPortable(key, depth + 1), toPortable(item, depth + 1)]),
    };
  }
  if (Object.prototype.toString.call(value) !== '[object Object]') {
    throw portableError(`contains ${Object.prototype.toString.call(value).slice(1, -1)}`);
  }
  const members = Object.entries(value)
    .filter(([name]) => name !== '__proto__')
    .map(([name, item]) => [name, toPortable(item, depth + 1)] as const);
  const plain = Object.fromEntries(members);
  return members.length === 1 && members[0]?.[0].startsWith('$') ? { $object: plain } : plain;
}

function objectFromPortable(members: [string, unknown][], place: string, depth: number) {
  const value: Record<string, unknown> = {};
  for (const [name, item] of members) {
    if (name === '__proto__') throw portableError("has a member named '__proto__'", place);
    value[name] = fromPortable(item, `${place}.${name}`, depth + 1);
  }
  return value;
}

function untag(tag: string, content: unknown, place: string, depth: number): unknown {
  switch (tag) {
    case '$undefined':
      return undefined;
    case '$number':
      if (content === 'NaN' || content === 'Infinity' || content === '-Infinity' || content === '-0') {
        return Number(content);
      }
      break;
    case '$bigint':
      if (typeof content === 'string' && /^-?\d{1,10000}$/.test(content)) return BigInt(content);
      break;
    case '$date': {
      const time = fromPortable(content, place, depth);
      if (typeof time === 'number') return new Date(time);
      break;
    }
    case '$bytes':
      return decodeBytes(content, tag, place);
    case '$floats': {
      const bytes = decodeBytes(content, tag, place);
      if (bytes.length % 4 === 0) return new Float32Array(bytes.buffer);
      break;
    }
    case '$set':
      if (Array.isArray(content)) return new Set(readItems(content, place, depth));
      break;
    case '$map':
      if (Array.isArray(content) && content.every(isPair)) {
        return new Map(content.map((pair) => readItems(pair, place, depth) as [unknown, unknown]));
      }
      break;
    case '$object':
      if (typeof content === 'object' && content !== null) {
        return objectFromPortable(Object.entries(content), place, depth);
      }
  }
  throw portableError(`holds '${tag}', but not in a form this release reads`, place);
}

function isPair(value: unknown): value is [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}

function readItems(items: unknown[], place: string, depth: number): unknown[] {
  return items.map((item, index) => fromPortable(item, `${place}[${index}]`, depth + 1));
}

function decodeBytes(content: unknown, tag: string, place: string): Uint8Array<ArrayBuffer> {
  const bytes = typeof content === 'string' ? fromBase64(content) : null;
  if (bytes === null) throw portableError(`holds '${tag}', but no base64 text in it`, place);
  return bytes;
}

function portableError(why: string, place = 'The value'): RoleZeroError {
  return new RoleZeroError('invalid', `${shortenPlace(place)} ${why}.`, { place: shortenPlace(place) });
}

/** Limits the length: in a malicious document, a place may be as long as the document. */
function shortenPlace(place: string): string {
  return place.length <= 200 ? place : `${place.slice(0, 200)}…`;
}
