import type { Asks } from '../agent-config.js';
import { LANGUAGES, preferredLanguage, type Language } from '../text/index.js';
import { isRecord } from './is-record.js';
import { keep } from './keep.js';

/** The selected model. The key is stored elsewhere: see `Keys`. */
export interface Settings {
  /** In this tab with web-llm, the browser's own, at `baseURL`, or the file at `baseURL` on the processor. */
  where: Where;
  /** For a server or a GGUF file; empty otherwise. */
  baseURL: string;
  /** Empty: no model is connected. */
  model: string;
  /** Tokens. */
  contextWindow: number;
  /** The server holds replies to a JSON Schema. */
  jsonSchema?: boolean;
  /** The model sees images; absent: what is known of it. */
  images?: boolean;
  /** The server reports how far it has read a prompt. */
  promptProgress?: boolean;
  /** Number of weights, where the server reports it. */
  parameters?: number;
  /** It has answered: a test or a request succeeded. */
  isTested?: boolean;
}

const WHERES = ['tab', 'browser', 'server', 'processor'] as const;
type Where = (typeof WHERES)[number];

/** The name of the browser's own model. */
export const CHROME = 'chrome';

/** Context window of a model on the processor, in tokens: more takes more memory and time. */
export const CPU_WINDOW = 8_192;

export const noSettings: Settings = { where: 'server', baseURL: '', model: '', contextWindow: 8192 };

/** The user's settings of the application and its agents. */
export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  language: Language;
  asks: Asks;
  /** Token limit of a request; null: no limit. */
  tokenBudget: number | null;
  /** The agents may write standing notes; off until the user turns it on. */
  notes: boolean;
  /** Sessions share memories and notes; off until the user turns it on. */
  shares: boolean;
  /** The agent repairs errors of the page after a run; off until the user turns it on. */
  fixes: boolean;
}

export const noPreferences: Preferences = {
  theme: 'system',
  language: 'en',
  asks: 'never',
  tokenBudget: null,
  notes: false,
  shares: false,
  fixes: false,
};

const SETTINGS = 'rolezero-demo:settings';
const PREFERENCES = 'rolezero-demo:preferences';
const TOUR_SPEED = 'rolezero-demo:tour-speed';
const KEYS = 'rolezero-demo:keys';

export function isConnected({ where, baseURL, model }: Settings): boolean {
  return model !== '' && (where === 'tab' || where === 'browser' || URL.canParse(baseURL));
}

export function loadSettings(storage: Storage): Settings {
  const stored = read(storage, SETTINGS);
  const { where, baseURL, model, contextWindow, jsonSchema, images, promptProgress, parameters, isTested } =
    stored;
  return {
    where: WHERES.find((known) => known === where) ?? 'server',
    baseURL: typeof baseURL === 'string' ? baseURL : '',
    model: typeof model === 'string' ? model : '',
    contextWindow: typeof contextWindow === 'number' ? contextWindow : noSettings.contextWindow,
    ...(jsonSchema === true ? { jsonSchema } : {}),
    ...(typeof images === 'boolean' ? { images } : {}),
    ...(promptProgress === true ? { promptProgress } : {}),
    ...(typeof parameters === 'number' ? { parameters } : {}),
    ...(isTested === true ? { isTested } : {}),
  };
}

export function saveSettings(storage: Storage, settings: Settings): void {
  keep(storage, SETTINGS, JSON.stringify(settings));
}

/** Speed of tours; 1 is normal. */
export function loadTourSpeed(storage: Storage): number {
  const speed = Number(storage.getItem(TOUR_SPEED));
  return speed > 0 ? speed : 1;
}

export function saveTourSpeed(storage: Storage, speed: number): void {
  keep(storage, TOUR_SPEED, String(speed));
}

/** The stored setting, otherwise the browser's preference. */
export function loadPreferences(storage: Storage, languages: readonly string[]): Preferences {
  const { theme, language, asks, tokenBudget, notes, shares, fixes } = read(storage, PREFERENCES);
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    language:
      typeof language === 'string' && Object.hasOwn(LANGUAGES, language)
        ? (language as Language)
        : preferredLanguage(languages),
    asks: asks === 'shell' || asks === 'changes' ? asks : 'never',
    tokenBudget: typeof tokenBudget === 'number' && tokenBudget > 0 ? tokenBudget : null,
    notes: notes === true,
    shares: shares === true,
    fixes: fixes === true,
  };
}

export function savePreferences(storage: Storage, preferences: Preferences): void {
  keep(storage, PREFERENCES, JSON.stringify(preferences));
}

/**
 * API keys, each for the origin it was entered for. A key is held in memory until a reload, unless the user chooses
 * to remember it; then it is in the browser's storage as plain text. That a key was used is always stored, to ask for
 * it again.
 */
export class Keys {
  readonly #inMemory = new Map<string, string>();

  constructor(private readonly storage: Storage) {}

  get(baseURL: string): string {
    const origin = originOf(baseURL);
    const remembered = read(this.storage, KEYS)[origin];
    return this.#inMemory.get(origin) ?? (typeof remembered === 'string' ? remembered : '');
  }

  isRemembered(baseURL: string): boolean {
    const remembered = read(this.storage, KEYS)[originOf(baseURL)];
    return typeof remembered === 'string' && remembered !== '';
  }

  /** True when a key was used here before and was lost with the page it was entered on. */
  isMissing(baseURL: string): boolean {
    return originOf(baseURL) in read(this.storage, KEYS) && this.get(baseURL) === '';
  }

  set(baseURL: string, key: string, remember: boolean): void {
    const origin = originOf(baseURL);
    const others = Object.entries(read(this.storage, KEYS)).filter(([other]) => other !== origin);
    this.#inMemory.set(origin, key);
    const entries = key === '' ? others : [...others, [origin, remember ? key : '']];
    keep(this.storage, KEYS, JSON.stringify(Object.fromEntries(entries)));
  }
}

function originOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).origin : '';
}

function read(storage: Storage, key: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? '{}');
    return isRecord(value) ? value : {};
  } catch {
    return {}; // Written by another program.
  }
}
