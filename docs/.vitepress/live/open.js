import { connect, sessions } from 'rolezero';
import 'rolezero/element';

/** Opens the session of an example, which is stored in this browser, and shows it in an element. */
export async function openExample(place, name, config) {
  const makeWorker = () => new Worker(new URL('./agent.worker.js', import.meta.url), { type: 'module' });
  const session = await connect(makeWorker, { session: name, config });
  const chat = document.createElement('rolezero-chat');
  chat.session = session;
  place.replaceChildren(chat);
  return session;
}

/** Closes the session, and deletes what it has stored. */
export async function removeExample(session) {
  await session.close();
  await sessions.remove(session.name);
}
