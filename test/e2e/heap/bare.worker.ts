import { expose } from 'comlink';

/** A minimal worker without this library, for comparison. */
const api = { call: (callback: (text: string) => void) => callback('called') };
export type Bare = typeof api;

addEventListener('message', ({ ports: [port] }) => {
  if (port !== undefined) expose(api, port);
});
