import { jitless } from './jitless.js';
import { serve } from 'rolezero/worker';
import type { AgentConfig } from './agent-config.js';
import { rolesOf } from './agent-roles.js';
import { trustOwnScripts } from './own-scripts.js';

if (jitless !== true) throw new Error('zod was there first');
trustOwnScripts(); // the shell has a worker of its own
serve<AgentConfig>(rolesOf);
