import { defined } from '../core/defined.js';
import type { AgentEvent } from '../core/events.js';
import type { QueuedRequest } from '../core/queue.js';
import type { Entry } from './conversation.js';
import { shownRequest } from './shown-request.js';

/**
 * Returns the entries after a change of the requests that wait. One that is read moves to the end: the next step follows it.
 *
 * @param queued the requests that wait now
 */
export function withQueue(
  entries: readonly Entry[],
  change: AgentEvent<'queue-changed'>['change'],
  messageIds: readonly string[],
  queued: readonly QueuedRequest[],
): readonly Entry[] {
  const ids = new Set(messageIds);
  const isMeant = ({ id }: Entry): boolean => id !== null && ids.has(id);
  const others = entries.filter((entry) => !isMeant(entry));
  const meant = entries.filter(isMeant);
  switch (change) {
    case 'waiting': {
      const added = queued.filter(
        ({ messageId }) => ids.has(messageId) && !meant.some(({ id }) => id === messageId),
      );
      const filesOf = new Map(queued.map(({ messageId, files }) => [messageId, files]));
      const known = entries.map((entry): Entry => {
        const files = isMeant(entry) ? filesOf.get(entry.id ?? '') : undefined;
        return entry.kind === 'request' && files !== undefined ? { ...entry, files } : entry;
      });
      return [
        ...known,
        ...added.map(({ messageId, content, files }): Entry => {
          return { id: messageId, ...shownRequest(content), ...defined({ files }) };
        }),
      ];
    }
    case 'revised':
      return entries.map((entry) => {
        const text = queued.find(({ messageId }) => isMeant(entry) && messageId === entry.id)?.content;
        return entry.kind === 'request' && text !== undefined ? { ...entry, text } : entry;
      });
    case 'withdrawn':
      return others;
    case 'read':
      return [...others, ...meant];
  }
}
