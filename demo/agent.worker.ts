import { serve } from 'rolezero/worker';
import type { AgentConfig } from './agent-config.js';
import { rolesOf } from './agent-roles.js';
import { DOWNLOADER, serveDownload } from './model-download.js';
import { trustOwnScripts } from './own-scripts.js';

trustOwnScripts(); // The shell and the engines have workers of their own.
// One script for both, so that an engine that was loaded for the download is the one that sessions find in the cache.
if (self.name === DOWNLOADER) serveDownload();
else serve<AgentConfig>(rolesOf);
