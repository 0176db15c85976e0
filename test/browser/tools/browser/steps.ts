import type { DriverRequest } from '../../../../src/tools/browser/protocol.js';
import type { DrivenPage, Files } from './driven-page.js';

/** A command as the model writes it. `element` and `to` are what a line of the view begins with behind its id: `button 'Save'`. */
export type Step = readonly [command: string, args?: Readonly<Record<string, unknown>>];

export interface TaskPage {
  name: string;
  html: string;
  steps: readonly Step[];
  /** What the view holds in the end. */
  solved: string | readonly string[];
  files?: Files;
}

/** Does a command, gives the observation. Every way to drive a page fits behind this. */
export type Drive = (command: string, args: Readonly<Record<string, unknown>>) => Promise<string>;

/** Does the steps one after the other, each on the elements of a fresh view; gives the last view. */
export async function follow(drive: Drive, steps: readonly Step[]): Promise<string> {
  for (const [command, args = {}] of steps) {
    const view = await drive('Browser.view', {});
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

/** `button 'Save'` → the id of the first line that has it; `button 'Save' #2` → of the second. */
export function idIn(view: string, wanted: string): string {
  const [, start = wanted, nth = '1'] = /^(.*) #(\d+)$/.exec(wanted) ?? [];
  const found = view
    .split('\n')
    .map((line) => /\[([\d.]+)\] (.*)$/.exec(line))
    .filter((match) => match?.[2] === start || match?.[2]?.startsWith(`${start} `));
  const id = found[Number(nth) - 1]?.[1];
  if (id === undefined) throw new Error(`No line for ${wanted} in:\n${view}`);
  return id;
}

/** Drives a page over the driver's port, without any tool around it. */
export function driveDirectly(page: DrivenPage): Drive {
  return async (command, args) => {
    if (command === 'Browser.view') return page.view();
    const result = await page.ask(requestOf(command, args));
    return 'said' in result ? result.said : '';
  };
}

function requestOf(command: string, args: Readonly<Record<string, unknown>>): DriverRequest {
  const { element_id: element, to_element_id: to, ...rest } = args;
  const kind = {
    'Browser.click': 'click',
    'Browser.type': 'type',
    'Browser.hover': 'hover',
    'Browser.press': 'press',
    'Browser.scroll': 'scroll',
    'Browser.select': 'select',
    'Browser.check': 'check',
    'Browser.drag': 'drag',
    'Browser.upload': 'upload',
    'Browser.select_text': 'selectText',
    'Browser.wait_for': 'wait',
    'Browser.dialogs': 'dialogs',
    'Browser.history': 'history',
  }[command];
  if (kind === undefined) throw new Error(`No command ${command}`);
  return {
    kind,
    ...(element === undefined ? {} : { element }),
    ...(to === undefined ? {} : { to }),
    ...rest,
  } as unknown as DriverRequest;
}
