import type { Task } from '../task.js';
import { askTasks } from './ask.js';
import { browseTasks } from './browse.js';
import { codeTasks } from './code.js';
import { createTasks } from './create.js';
import { editTasks } from './edit.js';
import { fixTasks } from './fix.js';
import { instructionTasks } from './instructions.js';
import { planTasks } from './plan.js';
import { refactorTasks } from './refactor.js';
import { refuseTasks } from './refuse.js';
import { rememberTasks } from './remember.js';
import { smallTasks } from './small.js';

/** The tasks that are run by default, by kind. */
export const TASKS: readonly Task[] = [
  ...createTasks,
  ...editTasks,
  ...fixTasks,
  ...refactorTasks,
  ...planTasks,
  ...askTasks,
  ...browseTasks,
  ...rememberTasks,
  ...refuseTasks,
  ...instructionTasks,
];

/** Also those that are only run when they are selected. */
export const ALL_TASKS: readonly Task[] = [...TASKS, ...smallTasks, ...codeTasks];
