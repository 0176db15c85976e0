import type { Download, Lack, Way } from '../state/offers.js';
import { t } from './index.js';

/** The displayed name of a model. */
export function nameOfWay({ kind, name }: Way): string {
  return kind === 'chrome' ? t.chromeModel : name;
}

/** Where it runs, and its requirements. */
export function aboutWay({ kind, server, memoryMB }: Way): string {
  switch (kind) {
    case 'web-llm':
      return memoryMB === null
        ? t.inThisTab
        : `${t.inThisTab}, ${t.needsMemory((memoryMB / 1_000).toFixed(1))}`;
    case 'chrome':
      return t.inTheBrowser;
    case 'wllama':
      return t.onProcessor;
    case 'server':
    case 'remote':
      return server;
  }
}

/** Why it can be used here. */
export function reasonOf({ kind, name, server, settings }: Way): string {
  switch (kind) {
    case 'web-llm':
      return t.reasons['web-llm'](name);
    case 'chrome':
      return t.reasons.chrome;
    case 'server':
      return t.reasons.server(server, settings.baseURL);
    case 'remote':
      return t.reasons.remote(name, settings.baseURL);
    case 'wllama':
      return t.reasons.wllama;
  }
}

export function lackText(lack: Lack): string {
  return t.lacks[lack];
}

/** The size and source of the download, and how certain the size is. */
export function downloadText({ from, bytes, known }: Download): string {
  if (from === null) return t.downloads.byBrowser;
  return bytes === null ? t.downloads.unknown(from) : t.downloads[known](size(bytes), from);
}

function size(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
