/** Bytes that are converted at once: few enough for an argument list. */
const AT_ONCE = 8_192;

/** Returns strings with one character for each byte, for parts of the bytes in order. */
export function* latin1Parts(bytes: Uint8Array): Generator<string> {
  for (let at = 0; at < bytes.length; at += AT_ONCE)
    // Spreading the bytes is four times as slow.
    yield String.fromCharCode.apply(null, bytes.subarray(at, at + AT_ONCE) as unknown as number[]);
}

/** Returns a string with one character for each byte. */
export function toLatin1(bytes: Uint8Array): string {
  return [...latin1Parts(bytes)].join('');
}
