/**
 * The driver: the first script of a page, its eyes and hands. It is bundled into one text (`../driver-source.ts`) and has no exports.
 * `ROLEZERO_DRIVER` is written before the text by `driverText`; for a page of the application's own origin by `ownDriverText`.
 */
import { driveConfined } from './confined.js';
import type { OwnSettings } from './frames.js';
import { allowDriving, type DrivingOptions } from './site/allow-driving.js';

declare const ROLEZERO_DRIVER: OwnSettings | DrivingOptions;

start();

function start(): void {
  const script = document.currentScript;
  const text = script?.textContent ?? '';
  script?.remove(); // it tells the nonce
  if ('origins' in ROLEZERO_DRIVER) {
    allowDriving(ROLEZERO_DRIVER);
    return;
  }
  const base = document.createElement('base');
  base.href = ROLEZERO_DRIVER.url;
  if (!document.querySelector('base'))
    (document.querySelector('head') ?? document.documentElement).prepend(base);
  // For frames inside: all behind the first line, which holds this page's own settings.
  driveConfined(ROLEZERO_DRIVER, text.slice(text.indexOf('\n') + 1, text.lastIndexOf('}')));
}
