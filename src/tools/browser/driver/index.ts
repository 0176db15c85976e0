/**
 * The driver: the first script of a page, its eyes and hands. It is bundled into one text (`../driver-source.ts`) and has no exports.
 * `ROLEZERO_DRIVER` is written before the text by `driverText`.
 */
import { Driver } from './driver.js';
import type { OwnSettings } from './frames.js';

declare const ROLEZERO_DRIVER: OwnSettings;

start();

function start(): void {
  const script = document.currentScript;
  const text = script?.textContent ?? '';
  script?.remove(); // it tells the nonce
  const base = document.createElement('base');
  base.href = ROLEZERO_DRIVER.url;
  if (!document.querySelector('base'))
    (document.querySelector('head') ?? document.documentElement).prepend(base);
  // For frames inside: all behind the first line, which holds this page's own settings.
  new Driver(ROLEZERO_DRIVER, text.slice(text.indexOf('\n') + 1, text.lastIndexOf('}')));
}
