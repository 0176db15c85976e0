import { isRecord } from '../core/json.js';
import type { EventBatch, SessionView } from './protocol.js';

/** By hand: the page loads no schemas. */
export type Guard = (value: unknown) => boolean;

export const anyGuard: Guard = () => true;
export const textGuard: Guard = (value) => typeof value === 'string';
const flagGuard: Guard = (value) => typeof value === 'boolean';
export const listGuard =
  (item: Guard): Guard =>
  (value) =>
    Array.isArray(value) && value.every(item);
/** Nothing, or this. */
const maybeGuard =
  (shape: Guard): Guard =>
  (value) =>
    value == null || shape(value);
export const fieldsGuard =
  (shapes: Record<string, Guard>): Guard =>
  (value) =>
    isRecord(value) && Object.keys(shapes).every((key) => shapes[key]?.(value[key]));

export const questionGuard = fieldsGuard({
  id: textGuard,
  role: textGuard,
  kind: (kind) => kind === 'question' || kind === 'approval',
  text: textGuard,
  options: maybeGuard(listGuard(textGuard)),
  command: maybeGuard(fieldsGuard({ name: textGuard, args: isRecord })),
  details: maybeGuard(textGuard),
});
const viewGuard = fieldsGuard({
  waiting: maybeGuard(questionGuard),
  queued: maybeGuard(
    listGuard(
      fieldsGuard({
        messageId: textGuard,
        content: textGuard,
        role: textGuard,
        files: maybeGuard(listGuard(textGuard)),
      }),
    ),
  ),
  resumable: flagGuard,
  viewing: flagGuard,
  running: maybeGuard(textGuard),
  lastRun: maybeGuard(fieldsGuard({ status: textGuard, summary: textGuard, error: maybeGuard(isRecord) })),
  position: maybeGuard(fieldsGuard({ place: textGuard, id: textGuard, head: Number.isInteger })),
});
const startGuard = fieldsGuard({
  name: textGuard,
  activity: fieldsGuard({ verb: textGuard, about: textGuard }),
});
/** The page itself reads these members. */
const eventGuard: Guard = (value) =>
  isRecord(value) && textGuard(value['type']) && (value['type'] !== 'command-start' || startGuard(value));
const batchGuard = fieldsGuard({ events: listGuard(eventGuard), view: viewGuard });

/** How things stand in a session. */
export function isView(data: unknown): data is SessionView {
  return viewGuard(data);
}

/** What happened in it. */
export function isBatch(data: unknown): data is EventBatch {
  return batchGuard(data);
}
