/** The commands that every role has. Code may know these by name; it asks the properties of all other tools, see `ToolHints`. */
import { groupOf } from './tool.js';

export const APPEND_TASK = 'Plan.append_task';
export const RESET_TASK = 'Plan.reset_task';
export const REPLACE_TASK = 'Plan.replace_task';
export const FINISH_TASK = 'Plan.finish_current_task';
export const ASK_HUMAN = 'RoleZero.ask_human';
export const REPLY_TO_HUMAN = 'RoleZero.reply_to_human';
export const END = 'end';
/** As a small model wrote it. */
export const END_IN_GROUP = 'RoleZero.end';
/** Name under which rules decide about answers to senders who are not the user. It is no command of the model. */
export const ANSWER_SENDER = 'RoleZero.answer_sender';

/** Returns whether a command only changes the plan. */
export function onlyPlans(name: string): boolean {
  return groupOf(name) === 'Plan';
}

/** Returns whether a command only talks to the user, or ends the turn. */
export function onlyTalks(name: string): boolean {
  return name === END || groupOf(name) === 'RoleZero';
}

/** Returns whether a command does work: not those that only plan, talk to the user, or end the turn. */
export function doesWork(name: string): boolean {
  return !onlyPlans(name) && !onlyTalks(name);
}
