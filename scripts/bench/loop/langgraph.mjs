import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { serveAgents } from './serve-agents.mjs';

serveAgents((llm, tools, checkpointer) => createReactAgent({ llm, tools, checkpointer }));
