import type { ScreenshotResult } from '../protocol.js';
import { Refusal } from './port.js';

/** A page cannot take its own picture. */
export function takeScreenshot(): Promise<ScreenshotResult> {
  return Promise.reject(
    new Refusal(
      'unsupported',
      'A picture of this page cannot be taken from inside it. Its view tells what it holds.',
    ),
  );
}
