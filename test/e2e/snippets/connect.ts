import { connect, type Session } from '../../../src/index.js';

export * from '../../../src/index.js';

/** Sessions that snippets of this page opened, in order: a snippet need not export its session. */
export const opened: Session[] = [];

/** `connect` of the library, which also records the session. */
async function connectAndRemember(...args: Parameters<typeof connect>): Promise<Session> {
  const session = await connect(...args);
  opened.push(session);
  return session;
}

export { connectAndRemember as connect };
