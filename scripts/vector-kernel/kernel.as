// The kernels of the vector index, in AssemblyScript: `npm run build:kernel` compiles them into src/memory/vectors/kernel-bytes.ts.
// All pointers are byte offsets into the imported memory, aligned to 16.

/**
 * Hamming distances between a query's signs and those of `rows` rows of `words` 64-bit words each. Writes one u16 a row and counts them in
 * the histogram (i32 for each possible distance).
 */
export function scan(query: usize, codes: usize, rows: i32, words: i32, distances: usize, histogram: usize): void {
  let row = codes;
  let to = distances;
  const end = distances + (<usize>rows << 1);
  if (words == 6) { // 384 dimensions: the query stays in registers
    const q0 = load<u64>(query), q1 = load<u64>(query, 8), q2 = load<u64>(query, 16);
    const q3 = load<u64>(query, 24), q4 = load<u64>(query, 32), q5 = load<u64>(query, 40);
    while (to < end) {
      note(
        <i32>(popcnt(load<u64>(row) ^ q0) + popcnt(load<u64>(row, 8) ^ q1) + popcnt(load<u64>(row, 16) ^ q2) +
        popcnt(load<u64>(row, 24) ^ q3) + popcnt(load<u64>(row, 32) ^ q4) + popcnt(load<u64>(row, 40) ^ q5)),
        to, histogram);
      row += 48;
      to += 2;
    }
    return;
  }
  if (words == 8) { // 512 dimensions
    const q0 = load<u64>(query), q1 = load<u64>(query, 8), q2 = load<u64>(query, 16), q3 = load<u64>(query, 24);
    const q4 = load<u64>(query, 32), q5 = load<u64>(query, 40), q6 = load<u64>(query, 48), q7 = load<u64>(query, 56);
    while (to < end) {
      note(
        <i32>(popcnt(load<u64>(row) ^ q0) + popcnt(load<u64>(row, 8) ^ q1) + popcnt(load<u64>(row, 16) ^ q2) +
        popcnt(load<u64>(row, 24) ^ q3) + popcnt(load<u64>(row, 32) ^ q4) + popcnt(load<u64>(row, 40) ^ q5) +
        popcnt(load<u64>(row, 48) ^ q6) + popcnt(load<u64>(row, 56) ^ q7)),
        to, histogram);
      row += 64;
      to += 2;
    }
    return;
  }
  const bytes = <usize>words << 3;
  while (to < end) {
    let distance: u64 = 0;
    for (let at: usize = 0; at < bytes; at += 8) distance += popcnt(load<u64>(row + at) ^ load<u64>(query + at));
    note(<i32>distance, to, histogram);
    row += bytes;
    to += 2;
  }
}

@inline function note(distance: i32, to: usize, histogram: usize): void {
  store<u16>(to, <u16>distance);
  const counter = histogram + (<usize>distance << 2);
  store<i32>(counter, load<i32>(counter) + 1);
}

/** Writes the places of the rows nearer than `limit`, as i32; returns how many. */
export function gather(distances: usize, rows: i32, limit: i32, out: usize): i32 {
  let to = out;
  const bound = i16x8.splat(<i16>limit);
  let at = 0;
  for (; at + 8 <= rows; at += 8) { // most rows are far away: eight are passed over at a time
    const near = i16x8.lt_u(v128.load(distances + (<usize>at << 1)), bound);
    if (!v128.any_true(near)) continue;
    for (let lane = 0; lane < 8; lane++) {
      if (<i32>load<u16>(distances + (<usize>(at + lane) << 1)) >= limit) continue;
      store<i32>(to, at + lane);
      to += 4;
    }
  }
  for (; at < rows; at++) {
    if (<i32>load<u16>(distances + (<usize>at << 1)) >= limit) continue;
    store<i32>(to, at);
    to += 4;
  }
  return <i32>((to - out) >> 2);
}

/** Dot products of a query (i16) with the rows (i8, `size` of them, a multiple of 16) at the given places, each times its row's scale, as f32. */
export function rescore(query: usize, rows: usize, scales: usize, size: i32, places: usize, count: i32, out: usize): void {
  for (let at = 0; at < count; at++) {
    const place = <usize>load<i32>(places + (<usize>at << 2));
    let row = rows + place * <usize>size;
    const end = row + <usize>size;
    let part = query;
    let low = i32x4.splat(0), high = low;
    while (row < end) {
      const values = v128.load(row);
      low = i32x4.add(low, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(values), v128.load(part)));
      high = i32x4.add(high, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(values), v128.load(part, 16)));
      row += 16;
      part += 32;
    }
    const sum = i32x4.add(low, high);
    const dot = i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3);
    store<f32>(out + (<usize>at << 2), <f32>dot * load<f32>(scales + (place << 2)));
  }
}
