import { fromBase64 } from '../core/bytes.js';

/** Compiles a WebAssembly module that the build stored as gzip in base64. */
export async function compilePacked(packed: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await unpack(packed));
}

/** Returns the bytes of a text that is gzip in base64. */
export async function unpack(packed: string): Promise<ArrayBuffer> {
  const bytes = fromBase64(packed) ?? new Uint8Array();
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}
