import { createAgent } from 'langchain';
import { serveAgents } from './serve-agents.mjs';

serveAgents((model, tools, checkpointer) => createAgent({ model, tools, checkpointer }));
