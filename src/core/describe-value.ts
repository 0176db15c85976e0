/** Describes a value for an error message: `"gpt-5-mini"`, `the function editor`, `an object with the keys type, properties`. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
    case 'function':
      return value.name === '' ? 'a function' : `the function ${value.name}`;
    case 'object':
      return describeObject(value);
    case 'symbol':
      return 'a symbol';
    default:
      return String(value);
  }
}

/** Returns whether the value is a promise, including one of another realm or library. */
export function isPromise(value: unknown): boolean {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

function describeObject(value: object | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isPromise(value)) return 'a promise';
  const kind = (value as { constructor?: unknown }).constructor;
  if (typeof kind === 'function' && kind !== Object && kind.name !== '')
    return `an object of class ${kind.name}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  return `an object with the keys ${keys.slice(0, 6).join(', ')}${keys.length > 6 ? ', …' : ''}`;
}
