import { scriptedModel } from 'rolezero/testing';
import { editor } from 'rolezero/tools';
import { RoleZero, serve } from 'rolezero/worker';

/** A worker file as written in plain JavaScript, with one mistake at a time. */
serve<{ mistake: 'no-return' | 'no-roles' | 'none' }>(({ mistake }) => {
  const role = new RoleZero({ model: scriptedModel([]), tools: [editor()] });
  if (mistake === 'no-return') return undefined as never;
  if (mistake === 'no-roles') return { leader: role } as never;
  return role;
});
