import { friendlyName } from '../state/model-facts.js';
import type { Download, Lack, Way } from '../state/offers.js';
import { t } from './index.js';

/** The displayed name of a model. */
export function nameOfWay({ kind, name }: Way): string {
  if (kind === 'chrome') return t.chromeModel;
  return kind === 'web-llm' || kind === 'wllama' ? friendlyName(name) : name;
}

/** Why it can be used here. */
export function reasonOf({ kind, name, server, settings }: Way): string {
  switch (kind) {
    case 'web-llm':
      return t.reasons['web-llm'](friendlyName(name));
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
  return bytes === null ? t.downloads.unknown(from) : t.downloads[known](bytesText(bytes), from);
}

/** A number of bytes, in megabytes or gigabytes. */
export function bytesText(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(bytes < 1e10 ? 2 : 1)} GB`;
}
