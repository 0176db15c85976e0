import { serve } from 'rolezero/worker';
import type { AgentConfig } from './agent-config.js';
import { rolesOf } from './agent-roles.js';
import { trustOwnScripts } from './own-scripts.js';

trustOwnScripts(); // the shell has a worker of its own
serve<AgentConfig>(rolesOf);
