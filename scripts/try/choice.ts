import type { Choice } from 'rolezero/providers/detect';
import type { ModelChoice } from './arguments.js';

/** The choice of a model as passed to the page. Of a server's models, the first listed one is used. */
export function choiceOf(found: Exclude<Choice, { kind: 'tour' }>): ModelChoice {
  switch (found.kind) {
    case 'server':
      return remote(found.server.baseURL, found.server.models[0] ?? '');
    case 'remote':
      return remote(found.baseURL, found.model);
    case 'web-llm':
      return { kind: 'web-llm', model: found.model };
    case 'wllama':
      return { kind: 'wllama', model: found.model };
    case 'chrome':
      return { kind: 'chrome' };
  }
}

function remote(baseURL: string, model: string): ModelChoice {
  return { kind: 'remote', baseURL, model, apiKey: undefined, contextWindow: undefined };
}
