import { editor } from 'rolezero/tools';
import { RoleZero, serve } from 'rolezero/worker';

serve<{ model: string }>(({ model }, page) => new RoleZero({ model: page.model(model), tools: editor() }));
