import { isRecord } from '../core/json.js';
import type { EventBatch, SessionView } from './protocol.js';

/** By hand: the page loads no schemas. */
export type Shape = (value: unknown) => boolean;

export const any: Shape = () => true;
export const text: Shape = (value) => typeof value === 'string';
const flag: Shape = (value) => typeof value === 'boolean';
export const list =
  (item: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(item);
/** Nothing, or this. */
const maybe =
  (shape: Shape): Shape =>
  (value) =>
    value == null || shape(value);
export const fields =
  (shapes: Record<string, Shape>): Shape =>
  (value) =>
    isRecord(value) && Object.keys(shapes).every((key) => shapes[key]?.(value[key]));

export const question = fields({
  id: text,
  role: text,
  kind: (kind) => kind === 'question' || kind === 'approval',
  text,
  options: maybe(list(text)),
  command: maybe(fields({ name: text, args: isRecord })),
  details: maybe(text),
});
const view = fields({
  waiting: maybe(question),
  queued: maybe(list(fields({ messageId: text, content: text, role: text, files: maybe(list(text)) }))),
  resumable: flag,
  viewing: flag,
  running: maybe(text),
  lastRun: maybe(fields({ status: text, summary: text, error: maybe(isRecord) })),
  position: maybe(fields({ place: text, id: text, head: Number.isInteger })),
});
const start = fields({ name: text, activity: fields({ verb: text, about: text }) });
/** The page itself reads these members. */
const event: Shape = (value) =>
  isRecord(value) && text(value['type']) && (value['type'] !== 'command-start' || start(value));
const batch = fields({ events: list(event), view });

/** How things stand in a session. */
export function isView(data: unknown): data is SessionView {
  return view(data);
}

/** What happened in it. */
export function isBatch(data: unknown): data is EventBatch {
  return batch(data);
}
