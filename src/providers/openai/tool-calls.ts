import { isRecord } from '../../core/json.js';
import type { CallChunk } from '../../core/model.js';

/** A piece of a call as a server sends it. */
export interface CallPiece {
  /** Missing where a server does not count calls. */
  index?: number;
  /** Empty in later pieces, and at servers without ids. */
  id: string;
  /** Empty in later pieces. */
  name: string;
  args: string;
}

/** Reads the pieces of calls in a `delta` or `message`: `tool_calls`, or `function_call` of older servers. */
export function readCallPieces(part: Record<string, unknown>): CallPiece[] {
  const { tool_calls: list, function_call: single } = part;
  if (Array.isArray(list)) return (list as unknown[]).filter(isRecord).map(readPiece);
  return isRecord(single) ? [readPiece({ index: 0, function: single })] : [];
}

function readPiece({ index, id, function: named }: Record<string, unknown>): CallPiece {
  const { name, arguments: args } = isRecord(named) ? named : {};
  return {
    ...(typeof index === 'number' && { index }),
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    // Ollama sends objects in its own form, and some gateways hand them on
    args: typeof args === 'string' ? args : isRecord(args) ? JSON.stringify(args) : '',
  };
}

interface OpenCall {
  /** What the server counts it as; undefined where it does not count. */
  index: number | undefined;
  serverId: string;
  chunk: Omit<CallChunk, 'args'>;
  args: string;
}

/**
 * Joins the pieces of a reply to calls: servers leave out ids, repeat names, do not count, or count every call as the first one. `newId`
 * returns an id for a call without one.
 */
export class StreamedToolCalls {
  readonly #newId: () => string;
  readonly #calls: OpenCall[] = [];

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Returns what a piece adds; null for a piece that adds nothing. */
  add(piece: CallPiece): CallChunk | null {
    const known = this.#find(piece);
    if (known !== undefined) {
      known.args += piece.args;
      return piece.args === '' ? null : { ...known.chunk, args: piece.args };
    }
    if (piece.name === '') return null; // the rest of a call whose name never came
    const isFree = piece.id !== '' && this.#calls.every(({ chunk }) => chunk.id !== piece.id);
    const id = isFree ? piece.id : this.#newId();
    const chunk = { type: 'tool-call' as const, index: this.#calls.length, id, name: piece.name };
    this.#calls.push({ index: piece.index, serverId: piece.id, chunk, args: piece.args });
    return { ...chunk, args: piece.args };
  }

  /** Returns the call that a piece continues; undefined for the first piece of a call. */
  #find({ index, id, name }: CallPiece): OpenCall | undefined {
    if (name === '') return this.#calls.findLast((call) => index === undefined || call.index === index);
    const same = this.#calls.findLast((call) =>
      index !== undefined ? call.index === index : id !== '' && call.serverId === id,
    );
    if (same === undefined || (id !== '' && same.serverId !== '' && same.serverId !== id)) return undefined;
    // two calls with the same number and no ids: the first one is whole when the second begins
    return id === '' && isWhole(same.args) ? undefined : same;
  }
}

function isWhole(args: string): boolean {
  try {
    return isRecord(JSON.parse(args));
  } catch {
    return false;
  }
}
