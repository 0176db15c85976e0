/** In ms, the time over which a rate is averaged. */
const SPAN = 5_000;
/** In ms, the time before a rate is reported. */
const LEAST = 500;

/** Returns a function that takes the bytes so far and the time in ms, and returns bytes per second; null at first. */
export function transferRate(): (bytes: number, now: number) => number | null {
  let samples: { bytes: number; at: number }[] = [];
  return (bytes, now) => {
    samples = [...samples.filter(({ at }) => now - at <= SPAN), { bytes, at: now }];
    const [first] = samples;
    if (first === undefined || now - first.at < LEAST || bytes <= first.bytes) return null;
    return ((bytes - first.bytes) * 1_000) / (now - first.at);
  };
}

/** The seconds that the rest of a transfer takes; null when unknown. */
export function secondsLeft(loaded: number, total: number, bytesPerSecond: number | null): number | null {
  if (bytesPerSecond === null || bytesPerSecond <= 0 || total <= loaded) return null;
  return (total - loaded) / bytesPerSecond;
}
