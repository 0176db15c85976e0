import { section, sections } from './template.js';

/** What a role should know besides the news; each part is said again only when it has changed (architecture §6). */
export interface Status {
  time: string;
  example: string;
  experience: string;
  toolState: string;
  plan: string;
  currentTask: string;
  language: string;
}

const TITLES: Record<keyof Status, string> = {
  time: 'Time',
  example: 'Example',
  experience: 'Past Experience',
  toolState: 'Current State',
  plan: 'Current Plan',
  currentTask: 'Current Task',
  language: 'Response Language',
};

const NAMES = Object.keys(TITLES) as (keyof Status)[];

/**
 * The parts of `status` that differ from what was said last, as sections in a fixed order; `notes` are for this step only. Then what is
 * asked for, unless there is nothing but that and it is `obvious`.
 */
export function statusBlock(
  status: Status,
  said: Partial<Status>,
  notes: readonly string[],
  obvious = false,
): string {
  const changed = NAMES.filter((name) => said[name] !== status[name]);
  const told = sections(
    ...changed.map((name) => section(TITLES[name], status[name])),
    section('Note', notes.join('\n')),
  );
  return told === '' && obvious ? 'Go on.' : sections(told, 'Give your thought and the next commands.');
}
