/**
 * Entry point of the driver, the first script of a page, which reads the page and acts in it. It is bundled into one text
 * (`../driver-source.ts`) and has no exports. `driverText` writes `ROLEZERO_DRIVER` before the text. For a page of the application's own
 * origin, `ownDriverText` does.
 */
import { driveConfined } from './confined.js';
import type { OwnSettings } from './frames.js';
import { allowDriving } from './site/allow-driving.js';
import type { DrivingOptions } from './site/driving-options.js';

declare const ROLEZERO_DRIVER: OwnSettings | DrivingOptions;

startDriver();

function startDriver(): void {
  const script = document.currentScript;
  const text = script?.textContent ?? '';
  script?.remove(); // the script contains the nonce
  if ('origins' in ROLEZERO_DRIVER) {
    allowDriving(ROLEZERO_DRIVER);
    return;
  }
  const base = document.createElement('base');
  base.href = ROLEZERO_DRIVER.url;
  if (!document.querySelector('base'))
    (document.querySelector('head') ?? document.documentElement).prepend(base);
  // The text for child frames omits the first line, which contains this page's own settings.
  driveConfined(ROLEZERO_DRIVER, text.slice(text.indexOf('\n') + 1, text.lastIndexOf('}')));
}
