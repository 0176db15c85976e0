import { html, type TemplateResult } from 'lit';
import { keep } from '../state/keep.js';
import { t } from '../text/index.js';

/** Key of the stored share. */
const SHARE = 'rolezero-demo:workbench';
/** Share of the workbench in the width of conversation and workbench, in percent. */
const LEAST = 30;
const USUAL = 51;
const MOST = 70;
/** The change by one key press. */
const STEP = 2;

let share = USUAL;

/** The border between conversation and workbench: moved by pointer and arrow keys, reset by a double click. */
export function splitterView(): TemplateResult {
  return html`<div
    class="splitter"
    role="separator"
    tabindex="0"
    aria-orientation="vertical"
    aria-label=${t.splitter}
    aria-valuemin=${LEAST}
    aria-valuemax=${MOST}
    aria-valuenow=${share}
    title=${t.splitter}
    @keydown=${(event: KeyboardEvent) => {
      const next = shareByKey(event.key);
      if (next === null) return;
      event.preventDefault();
      setShare(next);
      storeShare();
    }}
    @pointerdown=${(event: PointerEvent) => {
      event.preventDefault(); // selects no text
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    }}
    @pointermove=${(event: PointerEvent) => {
      if ((event.currentTarget as Element).hasPointerCapture(event.pointerId))
        setShare(shareAt(event.clientX));
    }}
    @lostpointercapture=${storeShare}
    @dblclick=${() => {
      setShare(USUAL);
      storeShare();
    }}
  ></div>`;
}

/** Restores the share that the user chose last. */
export function restoreShare(): void {
  const stored = Number(localStorage.getItem(SHARE));
  if (stored >= LEAST && stored <= MOST) setShare(stored);
}

function shareByKey(key: string): number | null {
  switch (key) {
    case 'ArrowLeft':
      return share + STEP;
    case 'ArrowRight':
      return share - STEP;
    case 'Home':
      return LEAST;
    case 'End':
      return MOST;
    default:
      return null;
  }
}

/** Returns the share of the workbench when its border is at `x`, in pixels. */
function shareAt(x: number): number {
  const left = document.querySelector('.talk')?.getBoundingClientRect().left ?? 0;
  const right = document.querySelector('.work')?.getBoundingClientRect().right ?? innerWidth;
  return ((right - x) / (right - left)) * 100;
}

function setShare(wanted: number): void {
  share = Math.round(Math.min(MOST, Math.max(LEAST, wanted)));
  const { style } = document.documentElement;
  style.setProperty('--talk', `${100 - share}fr`);
  style.setProperty('--work', `${share}fr`);
  document.querySelector('.splitter')?.setAttribute('aria-valuenow', String(share));
}

/** Stores the share once it is chosen, and not at each movement. */
function storeShare(): void {
  keep(localStorage, SHARE, String(share));
}
