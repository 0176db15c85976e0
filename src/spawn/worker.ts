import './jitless.js';
import { openai } from '../providers/openai/index.js';
import { browser } from '../tools/browser/index.js';
import { editor } from '../tools/index.js';
import { RoleZero, serve } from '../worker/index.js';
import { readConfig } from './read-config.js';

/**
 * The ready-made worker: one RoleZero with the Editor, and the Browser where the page shows its pages, on a model behind the OpenAI
 * protocol or on one of the page's own.
 */
serve((config, page) => {
  const { model, role, browser: hasBrowser = false } = readConfig(config);
  return new RoleZero({
    ...role,
    model: 'provider' in model ? page.model(model.name) : openai(model),
    tools: [...editor(), ...(hasBrowser ? browser() : [])],
  });
});
