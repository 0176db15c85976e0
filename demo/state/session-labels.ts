import { isRecord } from './is-record.js';
import { keep } from './keep.js';

/** What the application knows about a session besides the session itself. */
export interface SessionLabel {
  /** The title that the user gave it. */
  title?: string;
  /** The beginning of its requests, for the search. */
  first?: string;
  /** For a fork that has not continued: its last step, from 1. */
  forkedAt?: number;
}

/** The labels by the name of the session. */
export type SessionLabels = Readonly<Record<string, SessionLabel>>;

const KEY = 'rolezero-demo:session-labels';
/** Maximum number of stored characters of requests. */
const MAX_FIRST = 1_000;
/** Maximum number of characters of a title. */
export const MAX_TITLE = 120;

/** Reads the labels; entries that another program wrote are ignored. */
export function loadLabels(storage: Storage): SessionLabels {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '{}');
    if (!isRecord(stored)) return {};
    return Object.fromEntries(Object.entries(stored).map(([name, label]) => [name, labelOf(label)]));
  } catch {
    return {};
  }
}

function labelOf(value: unknown): SessionLabel {
  if (!isRecord(value)) return {};
  const { title, first, forkedAt } = value;
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof first === 'string' ? { first } : {}),
    ...(typeof forkedAt === 'number' ? { forkedAt } : {}),
  };
}

/** Stores the labels. Without space they last until a reload. */
export function saveLabels(storage: Storage, labels: SessionLabels): void {
  keep(storage, KEY, JSON.stringify(labels));
}

/** Returns the labels with a change to one of them; `undefined` removes a value. */
export function withLabel(
  labels: SessionLabels,
  name: string,
  change: { [Key in keyof SessionLabel]: SessionLabel[Key] | undefined },
): SessionLabels {
  const { title, first, forkedAt } = { ...labels[name], ...change };
  const label: SessionLabel = {
    ...(title === undefined ? {} : { title: title.slice(0, MAX_TITLE) }),
    ...(first === undefined ? {} : { first: first.slice(0, MAX_FIRST) }),
    ...(forkedAt === undefined ? {} : { forkedAt }),
  };
  return { ...withoutLabel(labels, name), ...(Object.keys(label).length === 0 ? {} : { [name]: label }) };
}

/** Returns the labels without those of a removed session. */
export function withoutLabel(labels: SessionLabels, name: string): SessionLabels {
  return Object.fromEntries(Object.entries(labels).filter(([other]) => other !== name));
}
