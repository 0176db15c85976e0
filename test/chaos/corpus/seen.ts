import { auditOf } from '../../../src/client/session.js';
import type { Session } from '../../../src/session/session.js';
import { hash } from './hash.js';

export type Seen = Awaited<ReturnType<typeof seen>>;

/**
 * The state of a session that users see, with large values as hashes. Every later release must show the same from the
 * records.
 */
export async function seen(session: Session) {
  const { files, environment, waiting, lastRun } = session;
  return {
    waiting: waiting && { role: waiting.role, kind: waiting.kind, text: waiting.text },
    resumable: session.resumable,
    lastRun: lastRun && { status: lastRun.status, code: lastRun.error?.code ?? null },
    usage: session.usage(),
    roles: await Promise.all(
      environment.roleNames.map(async (name) => ({
        name,
        messages: session
          .messages(name)
          .map(({ id, content, causeBy, sentFrom, sendTo }) => [
            id,
            hash([content, causeBy, sentFrom, sendTo]),
          ]),
        plan: session.plan(name),
        commands: (await session.steps(name)).map(({ commands }) => commands.map((each) => each.name)),
        decisions: auditOf(await session.steps(name)).length,
      })),
    ),
    memories: (await session.memory.list()).map(({ id, pinned = false, message }) => [
      id,
      pinned,
      hash(message.content),
    ]),
    files: (await files.readAll('/')).map(({ path, size, untrusted = [], content }) => [
      path,
      size,
      untrusted,
      content === undefined ? 'directory' : hash(content),
    ]),
    history: await Promise.all(
      (await files.history()).map(async ({ id, by, name, paths, undone }) => [
        by,
        name,
        paths,
        undone,
        // Formatted as every release reports it.
        hash((await files.after(id)).map(({ path, size, change }) => ({ path, size, change }))),
      ]),
    ),
    passed: session.inspect().messages.length,
  };
}
