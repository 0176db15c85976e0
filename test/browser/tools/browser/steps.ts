import type { Files } from './driven-page.js';

/**
 * A command as the model writes it. `element` and `to` match the start of a line of the view after its id: `button
 * 'Save'`.
 */
export type Step = readonly [command: string, args?: Readonly<Record<string, unknown>>];

export interface TaskPage {
  name: string;
  html: string;
  steps: readonly Step[];
  /** Expected content of the last view. */
  solved: string | readonly string[];
  files?: Files;
}

/** Runs a command and returns the observation. */
export type Drive = (command: string, args: Readonly<Record<string, unknown>>) => Promise<string>;

/** Runs the steps in order, each on the elements of a fresh view. Returns the last view. */
export async function follow(drive: Drive, steps: readonly Step[]): Promise<string> {
  for (const [index, [command, args = {}]] of steps.entries()) {
    const view = await drive('Browser.view', index % 2 === 0 ? {} : { page: 1 }); // The same command repeated would be detected.
    const resolved: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(args)) {
      if (name === 'element') resolved['element_id'] = idIn(view, String(value));
      else if (name === 'to') resolved['to_element_id'] = idIn(view, String(value));
      else resolved[name] = value;
    }
    await drive(command, resolved);
  }
  return drive('Browser.view', {});
}

/** `button 'Save'` → the id of the first matching line; `button 'Save' #2` → of the second. */
export function idIn(view: string, wanted: string): string {
  const [, start = wanted, nth = '1'] = /^(.*) #(\d+)$/.exec(wanted) ?? [];
  const found = view.split('\n').flatMap((line) => {
    const [, id, report = ''] = /\[([\d.]+)\] (.*)$/.exec(line) ?? [];
    const isMeant = report === start || report.startsWith(`${start} `) || report.startsWith(`${start}:`);
    return id !== undefined && isMeant ? [id] : [];
  });
  const id = found[Number(nth) - 1];
  if (id === undefined) throw new Error(`No line for ${wanted} in:\n${view}`);
  return id;
}
