import { editor } from 'rolezero/tools';
import { RoleZero, type ChatModel } from 'rolezero/worker';

/** Who works in this script, whatever model it thinks with. */
export function agent(model: ChatModel): RoleZero {
  return new RoleZero({ name: 'Zero', goal: 'build what the person asks for', model, tools: editor() });
}
