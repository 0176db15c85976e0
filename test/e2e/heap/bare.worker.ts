import { expose } from 'comlink';

/** What a page has to do with a worker without this library. */
const api = { call: (callback: (text: string) => void) => callback('called') };
export type Bare = typeof api;

addEventListener('message', ({ ports: [port] }) => {
  if (port !== undefined) expose(api, port);
});
