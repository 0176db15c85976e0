import { longTermMemory, RoleZero, serve } from 'rolezero/worker';
import { scriptedModel } from 'rolezero/testing';

serve(() => new RoleZero({ model: scriptedModel([]), longTermMemory: longTermMemory({ maxMessages: 4 }) }));
