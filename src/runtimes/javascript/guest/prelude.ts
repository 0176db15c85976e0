// Must run first: `node-inspect-extracted` copies these namespaces, and the interpreter has no Atomics (there is one thread).
const space = globalThis as { Atomics?: unknown };
space.Atomics ??= {};

export function removePrelude(): void {
  delete space.Atomics;
}
