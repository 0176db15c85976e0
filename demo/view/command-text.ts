import type { App } from '../app.js';
import { t } from '../text/index.js';

/** Returns what a command does, or has done, in words: those of the language, else the verb of its tool. Undefined when it has neither. */
export function commandText(name: string, isDone: boolean, { control }: App): string | undefined {
  return t.rows[name]?.[isDone ? 1 : 0] ?? control.session?.verbOf(name);
}
