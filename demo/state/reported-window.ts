import { readLimits } from 'rolezero/providers/openai';
import type { Settings } from './settings.js';

/** Returns settings with the context window that the server reports. Where it reports none, the assumed one remains. */
export async function withReportedWindow(settings: Settings): Promise<Settings> {
  const { baseURL, model } = settings;
  try {
    const { contextWindow } = await readLimits({ baseURL, model });
    return { ...settings, contextWindow };
  } catch {
    return settings; // the first request reports a server that cannot be reached
  }
}
