import { section, sections } from './template.js';

/** What the model reads besides unread messages. Each part is sent again only when it has changed. */
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

/** Returns the time as a section; empty without a time. */
export function timeSection(time: string): string {
  return section(TITLES.time, time);
}

/**
 * Returns the changed parts of `status` as sections in a fixed order, the `notes` of this step, and the question. The question is left out
 * when there is nothing else and it is `obvious`. `next` replaces the question.
 */
export function statusBlock(
  status: Status,
  shown: Partial<Status>,
  notes: readonly string[],
  obvious = false,
  next?: string,
): string {
  const changed: string[] = [];
  for (const name of NAMES)
    if (shown[name] !== status[name]) changed.push(section(TITLES[name], status[name]));
  const changes = sections(...changed, section('Note', notes.join('\n')));
  if (next !== undefined) return sections(changes, next);
  return changes === '' && obvious ? 'Go on.' : sections(changes, 'Give your thought and the next commands.');
}
