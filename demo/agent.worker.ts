import { serve } from 'rolezero/worker';
import type { AgentConfig } from './agent-config.js';
import { rolesOf } from './agent-roles.js';
import { trustOwnScripts } from './own-scripts.js';

trustOwnScripts(); // The shell has its own worker.
serve<AgentConfig>(rolesOf);
