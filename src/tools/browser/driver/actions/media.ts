import { now, replaceMethod } from '../natives.js';
import { Refusal } from '../port.js';
import { quote } from '../view/quote.js';

/** Milliseconds after an action in the page in which playback with sound may start, as after a click by the user. */
const PLAY_TIMEOUT_MS = 5_000;
const SEEK_SECONDS = 5;
const LOUDER = 0.1;

/**
 * Tracks media playback. Browsers allow sound only after a click by a user, and the driver's clicks do not count. If the browser blocks
 * playback while the page is in use, it starts muted instead. If it blocks muted playback too, `notes` reports it.
 */
export class Playing {
  #lastAct = -Infinity;
  #isRefused = false;

  /** Must run before the page's scripts. */
  constructor() {
    replaceMethod(HTMLMediaElement.prototype, 'play', (media, _values, native) =>
      (native() as Promise<void>).catch((error: unknown) => {
        const element = media as HTMLMediaElement;
        const isWanted = now() - this.#lastAct < PLAY_TIMEOUT_MS;
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

  /** Marks the page as in use: playback requested now is intended. */
  noteUsed(): void {
    this.#lastAct = now();
    this.#isRefused = false;
  }

  /** Notes on playback that the browser blocked. */
  get notes(): string[] {
    return this.#isRefused
      ? ['It does not play: the browser blocks sound until the user has clicked into the page.']
      : [];
  }
}

/** Returns whether an element has the browser's own media controls, which synthetic events cannot reach. */
export function isPlayer(element: Element | null): element is HTMLMediaElement {
  return element instanceof HTMLMediaElement && element.controls;
}

export function playOrPause(player: HTMLMediaElement): void {
  if (player.paused)
    void player.play().catch(() => undefined); // its line in the view still says "paused"
  else player.pause();
}

/** Handles a key on a player. Returns false if the key has no effect. */
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
      seek(player, player.currentTime + (key === 'ArrowRight' ? SEEK_SECONDS : -SEEK_SECONDS));
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

/**
 * Applies text to a player: `1:05` or `65` seeks to a time, `40%` sets the volume.
 *
 * @throws Refusal for any other text, and for a time after the end.
 */
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
