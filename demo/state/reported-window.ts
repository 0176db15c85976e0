import { readLimits } from 'rolezero/providers/openai';
import type { Settings } from './settings.js';

/**
 * Returns settings with the context window that the server reports, and whether it enforces a schema. Where it reports no window, the
 * assumed one remains.
 */
export async function withReportedWindow(settings: Settings): Promise<Settings> {
  const { baseURL, model } = settings;
  try {
    const { contextWindow, jsonSchema, promptProgress, parameters } = await readLimits({ baseURL, model });
    return {
      ...settings,
      contextWindow,
      ...(jsonSchema === true ? { jsonSchema } : {}),
      ...(promptProgress === true ? { promptProgress } : {}),
      ...(parameters === undefined ? {} : { parameters }),
    };
  } catch {
    return settings; // the first request reports a server that cannot be reached
  }
}
