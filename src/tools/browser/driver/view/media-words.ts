/** Returns the state of a player: `paused 0:12 of 2:05 muted`. */
export function mediaWords(element: Element): string[] {
  if (!(element instanceof HTMLMediaElement)) return [];
  if (element.error) return ['(it cannot be played here)'];
  const state = element.ended ? 'ended' : element.paused ? 'paused' : 'playing';
  const length = Number.isFinite(element.duration) ? ` of ${clock(element.duration)}` : '';
  const sound = element.muted ? ['muted'] : [];
  const volume = element.volume < 1 ? [`volume ${Math.round(element.volume * 100)}%`] : [];
  const use = element.controls
    ? ['(Space plays and pauses, m mutes, arrows seek and set the volume; type a time or a volume like 40%)']
    : [];
  return [state, `${clock(element.currentTime)}${length}`, ...sound, ...volume, ...use];
}

/** Formats seconds as `1:05`, or `1:01:05`. */
function clock(time: number): string {
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const hours = Math.floor(time / 3600);
  const minutes = Math.floor((time % 3600) / 60);
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(time % 60)}`;
}
