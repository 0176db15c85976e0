import { spawn } from 'rolezero/spawn';
import { play } from './play.js';

play((baseURL) =>
  spawn({
    session: 'spawn',
    model: { baseURL, model: 'scripted', contextWindow: 8192, jsonSchema: false },
    terminal: true,
  }),
);
