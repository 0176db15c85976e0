import { openai } from '../providers/openai/index.js';
import { editor } from '../tools/index.js';
import { RoleZero, serve } from '../worker/index.js';
import { readConfig } from './read-config.js';

/** The ready-made worker: one RoleZero with the Editor, on a model behind the OpenAI protocol. */
serve((config) => {
  const { model, role } = readConfig(config);
  return new RoleZero({ ...role, model: openai(model), tools: [...editor()] });
});
