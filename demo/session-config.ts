import type { ChatModel } from 'rolezero/worker';
import { SHARED, USUAL_WINDOW, type AgentConfig, type ModelConfig } from './agent-config.js';
import { keepEngine } from './offline/register.js';
import type { State } from './state/app-state.js';
import { isTeam, tourIn } from './state/session-names.js';
import { CHROME, isConnected, type Keys, type Settings } from './state/settings.js';
import { t } from './text/index.js';
import { readingTime } from './tour/pace.js';

/** Returns what the worker of a session needs: the selected model and the user's preferences, or a recorded run. */
export async function configOf(
  name: string,
  { preferences, settings }: State,
  keys: Keys,
): Promise<AgentConfig> {
  const tourName = tourIn(name);
  if (tourName !== null) {
    const { tourConfig } = await import('./tour-config.js');
    const times = t.tours[tourName].notes.map(readingTime);
    const dwell = times.reduce((sum, time) => sum + time, 0) / times.length;
    return { ...tourConfig(tourName, { session: name, dwell }), notes: preferences.notes };
  }
  return {
    model: modelOf(settings, keys),
    team: isTeam(name),
    asks: preferences.asks,
    tokenBudget: preferences.tokenBudget,
    notes: preferences.notes,
    shared: preferences.shares ? SHARED : null,
    memoryWindow: USUAL_WINDOW,
  };
}

function modelOf(settings: Settings, keys: Keys): ModelConfig {
  const { where, baseURL, model, contextWindow, jsonSchema, images, promptProgress, parameters } = settings;
  if (!isConnected(settings)) return { kind: 'none' };
  switch (where) {
    case 'tab':
      return { kind: 'web-llm', model, contextWindow };
    case 'browser':
      return { kind: 'page', name: CHROME };
    case 'processor':
      void keepEngine();
      return { kind: 'wllama', url: baseURL, name: model, contextWindow };
    case 'server':
      return {
        ...{ kind: 'remote', baseURL, model, contextWindow, apiKey: keys.get(baseURL) },
        ...(jsonSchema === undefined ? {} : { jsonSchema }),
        ...(images === undefined ? {} : { images }),
        ...(promptProgress === undefined ? {} : { promptProgress }),
        ...(parameters === undefined ? {} : { parameters }),
      };
  }
}

/** Models that exist only on a page: the browser's own model is not available in workers. */
export async function pageModels({ where, contextWindow }: Settings): Promise<Record<string, ChatModel>> {
  if (where !== 'browser') return {};
  const { chrome } = await import('rolezero/providers/chrome');
  return { [CHROME]: chrome({ contextWindow }) };
}
