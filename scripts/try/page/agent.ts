import { editor } from 'rolezero/tools';
import { RoleZero, type ChatModel } from 'rolezero/worker';

/** The agent of this script, for any model. */
export function agent(model: ChatModel): RoleZero {
  return new RoleZero({ name: 'Zero', goal: 'build what the user requests', model, tools: editor() });
}
