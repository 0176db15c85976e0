import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import { exposed } from '../wire/exposed.js';
import type { EventBatch, PageApi, SessionView } from '../wire/protocol.js';
import { settle } from '../wire/results.js';
import {
  anyGuard,
  fieldsGuard,
  isBatch,
  isView,
  listGuard,
  questionGuard,
  textGuard,
  type Guard,
} from '../wire/shapes.js';

const CALLS: Record<keyof PageApi, Guard[]> = {
  callTool: [textGuard, textGuard, anyGuard],
  cancelTool: [textGuard],
  beginChat: [textGuard, textGuard, fieldsGuard({ messages: listGuard(isRecord) })],
  nextChunk: [textGuard],
  endChat: [textGuard],
  countTokens: [textGuard, textGuard],
  ask: [questionGuard],
};

/**
 * Wraps the page side of a session so that every argument is checked before it reaches a tool, a model or the user. Only these methods can
 * be called. A call with invalid arguments returns `invalid` and has no effect.
 */
export function checkedPage(page: PageApi): PageApi {
  const checked =
    (method: keyof PageApi) =>
    (...args: unknown[]) =>
      CALLS[method].every((shape, index) => shape(args[index]))
        ? (page[method] as (...args: unknown[]) => unknown).apply(page, args)
        : settle(() => {
            throw unreadable(`${method}()`);
          });
  const methods = (Object.keys(CALLS) as (keyof PageApi)[]).map((method) => [method, checked(method)]);
  return exposed<PageApi>(Object.fromEntries(methods) as Record<keyof PageApi, () => unknown>);
}

/** Checks an event message of the worker. @throws RoleZeroError `invalid` when it has another shape. */
export function readBatch(data: unknown): EventBatch {
  if (isBatch(data)) return data;
  throw unreadable('an event');
}

/** Checks the session view sent by the worker. @throws RoleZeroError `invalid` */
export function readView(data: unknown): SessionView {
  if (isView(data)) return data;
  throw unreadable('a view');
}

/** Checks the verbs of commands sent by the worker. @throws RoleZeroError `invalid` */
export function readVerbs(data: unknown): Readonly<Record<string, string>> {
  if (isRecord(data) && listGuard(textGuard)(Object.values(data))) return data as Record<string, string>;
  throw unreadable('verbs of commands');
}

function unreadable(what: string): RoleZeroError {
  return new RoleZeroError('invalid', `The worker sent the page ${what} it cannot read.`, {});
}
