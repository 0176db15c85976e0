import { now, replaceMethod } from '../natives.js';
import { Refusal } from '../port.js';
import { quote } from '../view/quote.js';

/** Milliseconds after something was done to a page in which sound may begin, as after a person's click. */
const ALLOWED = 5_000;
const STEP = 5;
const LOUDER = 0.1;

/**
 * Browsers let sound begin after a click of a person alone, and those of the driver are none: what was asked to play while the page is used
 * plays without sound, and what may not even do that is told.
 */
export class Playing {
  #lastAct = -Infinity;
  #isRefused = false;

  /** Has to be made before the page's scripts run. */
  constructor() {
    replaceMethod(HTMLMediaElement.prototype, 'play', (media, _values, native) =>
      (native() as Promise<void>).catch((error: unknown) => {
        const element = media as HTMLMediaElement;
        const isWanted = now() - this.#lastAct < ALLOWED;
        if (!isWanted || !(error instanceof DOMException) || error.name !== 'NotAllowedError') throw error;
        const wasMuted = element.muted;
        element.muted = true;
        return (native() as Promise<void>).catch((again: unknown) => {
          element.muted = wasMuted;
          this.#isRefused = true;
          throw again;
        });
      }),
    );
  }

  /** The page is being used: what it plays now is wanted. */
  noteUsed(): void {
    this.#lastAct = now();
    this.#isRefused = false;
  }

  /** What to tell of it. */
  get notes(): string[] {
    return this.#isRefused
      ? ['It does not play: the browser lets no sound begin before a person has clicked into the page.']
      : [];
  }
}

/** What has the browser's own buttons, which no event of a script reaches. */
export function isPlayer(element: Element | null): element is HTMLMediaElement {
  return element instanceof HTMLMediaElement && element.controls;
}

export function playOrPause(player: HTMLMediaElement): void {
  if (player.paused)
    void player.play().catch(() => undefined); // its line in the view says that it is paused still
  else player.pause();
}

/** What a key does to a player; false if nothing. */
export function pressOnPlayer(player: HTMLMediaElement, key: string): boolean {
  switch (key) {
    case ' ':
    case 'k':
      playOrPause(player);
      return true;
    case 'm':
      player.muted = !player.muted;
      return true;
    case 'ArrowRight':
    case 'ArrowLeft':
      seek(player, player.currentTime + (key === 'ArrowRight' ? STEP : -STEP));
      return true;
    case 'ArrowUp':
    case 'ArrowDown':
      setVolume(player, player.volume + (key === 'ArrowUp' ? LOUDER : -LOUDER));
      return true;
    case 'Home':
    case 'End':
      seek(player, key === 'Home' ? 0 : player.duration);
      return true;
    default:
      return false;
  }
}

/** `1:05` or `65` is a time to go to, `40%` a volume. @throws Refusal for anything else, and beyond the end. */
export function setPlayer(player: HTMLMediaElement, text: string): void {
  const [, hours = '0', minutes = '0', seconds] =
    /^(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  const [, percent] = /^(\d+)\s*%$/.exec(text.trim()) ?? [];
  if (percent !== undefined) {
    setVolume(player, Number(percent) / 100);
    return;
  }
  const time = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  if (seconds === undefined || !(time <= player.duration))
    throw new Refusal(
      'unfit',
      `A player takes a time within its length, such as 0:42, or a volume such as 40%; ${quote(text)} is neither.`,
    );
  seek(player, time);
}

function seek(player: HTMLMediaElement, time: number): void {
  if (Number.isFinite(player.duration)) player.currentTime = Math.min(Math.max(time, 0), player.duration);
}

function setVolume(player: HTMLMediaElement, volume: number): void {
  player.volume = Math.min(1, Math.max(0, Math.round(volume * 100) / 100));
  if (player.volume > 0) player.muted = false;
}
