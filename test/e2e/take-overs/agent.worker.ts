import { scriptedModel } from 'rolezero/testing';
import { RoleZero, serve } from 'rolezero/worker';

serve(() => new RoleZero({ name: 'Zero', model: scriptedModel([]) }));
