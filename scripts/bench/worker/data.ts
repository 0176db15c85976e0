/** A random generator with a fixed sequence per seed, from 0 to below 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Unit vectors around some hundred topics, distributed like those of texts: a synthetic mixture. */
export function topicVectors(count: number, dimensions: number, seed: number): Float32Array[] {
  const topicRandom = randomNumbers(7);
  const random = randomNumbers(seed);
  const spread = (from: () => number) => from() + from() + from() - 1.5;
  const topics = Array.from({ length: 300 }, () => {
    const topic = new Float32Array(dimensions);
    for (let at = 0; at < dimensions; at++) topic[at] = spread(topicRandom);
    return topic;
  });
  return Array.from({ length: count }, () => {
    const topic = topics[Math.floor(random() * topics.length)] ?? new Float32Array(dimensions);
    const vector = new Float32Array(dimensions);
    let squares = 0;
    for (let at = 0; at < dimensions; at++) {
      const value = (topic[at] ?? 0) + spread(random);
      vector[at] = value;
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] ?? 0) / length;
    return vector;
  });
}

/** None is a short English word, which a search by words skips: every library searches the complete query. */
const SYLLABLES = 'ba co du fe gi ha jo ku le mi na pu ra se ti vo wu xa ye zo'.split(' ');

/** Messages of about 40 words out of 50,000, with frequencies as in a language. */
export function messages(count: number, seed: number): string[] {
  const random = randomNumbers(seed);
  const word = (): string => {
    let rank = Math.floor(50_000 ** random()); // Each order of magnitude is equally frequent: Zipf.
    let text = '';
    do {
      text += SYLLABLES[rank % SYLLABLES.length] ?? '';
      rank = Math.floor(rank / SYLLABLES.length);
    } while (rank > 0);
    return text;
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 30 + Math.floor(20 * random()) }, word).join(' '),
  );
}
