import { serve } from 'rolezero/worker';
import type { AgentConfig } from './agent-config.js';
import { rolesOf } from './agent-roles.js';

serve<AgentConfig>(rolesOf);
