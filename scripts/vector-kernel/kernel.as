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

/**
 * Dot products of a query (i16) with the rows at the given places, each times its row's scale, as f32. A number of a row is four times its
 * byte (i8, `size` of them, a multiple of 64) and one more or less, as its fine bit says; the caller sees to it that 32 bits hold the sums.
 */
export function rescore(query: usize, rows: usize, fine: usize, scales: usize, size: i32, places: usize, count: i32, out: usize): void {
  const bitOf = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const one = i16x8.splat(1);
  for (let at = 0; at < count; at++) {
    const place = <usize>load<i32>(places + (<usize>at << 2));
    let row = rows + place * <usize>size;
    let bits = fine + place * (<usize>size >> 3);
    const end = row + <usize>size;
    let part = query;
    let low = i32x4.splat(0), high = low;
    while (row < end) {
      const bytes = v128.load(row);
      const both = i16x8.splat(<i16>load<u16>(bits));
      const spread = v128.shuffle<i8>(both, both, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
      const above = i8x16.eq(v128.and(spread, bitOf), bitOf); // -1 or 0
      const first = i16x8.sub(i16x8.sub(i16x8.shl(i16x8.extend_low_i8x16_s(bytes), 2), one), i16x8.shl(i16x8.extend_low_i8x16_s(above), 1));
      const second = i16x8.sub(i16x8.sub(i16x8.shl(i16x8.extend_high_i8x16_s(bytes), 2), one), i16x8.shl(i16x8.extend_high_i8x16_s(above), 1));
      low = i32x4.add(low, i32x4.dot_i16x8_s(first, v128.load(part)));
      high = i32x4.add(high, i32x4.dot_i16x8_s(second, v128.load(part, 16)));
      row += 16;
      bits += 2;
      part += 32;
    }
    const sum = i32x4.add(low, high);
    const dot = i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3);
    store<f32>(out + (<usize>at << 2), <f32>dot * load<f32>(scales + (place << 2)));
  }
}

/**
 * Writes what is kept of a vector (f32, `size` of them, a multiple of 64): its bytes, its fine bits, its signs and its scale, by which
 * what rounding took from its length or added to it does not count for or against it in every search.
 */
export function write(vector: usize, row: usize, fine: usize, signs: usize, scale: usize, size: i32): void {
  const end = vector + (<usize>size << 2);
  let largest = f32x4.splat(0);
  for (let from = vector; from < end; from += 16) largest = f32x4.max(largest, f32x4.abs(v128.load(from)));
  const most = max(
    max(f32x4.extract_lane(largest, 0), f32x4.extract_lane(largest, 1)),
    max(f32x4.extract_lane(largest, 2), f32x4.extract_lane(largest, 3)));
  const factor = f32x4.splat(most == 0 ? 0 : 127 / most);
  const half = f32x4.splat(0.5), zero = f32x4.splat(0);
  let length: f64 = 0, kept: f64 = 0;
  for (let from = vector; from < end; from += 32) {
    const one = v128.load(from), other = v128.load(from, 16);
    const first = f32x4.mul(one, factor), second = f32x4.mul(other, factor);
    const wholeFirst = f32x4.floor(f32x4.add(first, half)), wholeSecond = f32x4.floor(f32x4.add(second, half));
    const whole = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(wholeFirst), i32x4.trunc_sat_f32x4_s(wholeSecond));
    store<i64>(row, i64x2.extract_lane(i8x16.narrow_i16x8_s(whole, whole), 0));
    const above = i32x4.bitmask(f32x4.gt(first, wholeFirst)) | (i32x4.bitmask(f32x4.gt(second, wholeSecond)) << 4);
    store<u8>(fine++, <u8>above);
    store<u8>(signs++, <u8>(i32x4.bitmask(f32x4.gt(one, zero)) | (i32x4.bitmask(f32x4.gt(other, zero)) << 4)));
    for (let at = 0; at < 8; at++) {
      const number = <f64>load<f32>(from + (<usize>at << 2));
      length += number * number;
      kept += number * (<f64>load<i8>(row + at) + ((above >> at) & 1 ? 0.25 : -0.25));
    }
    row += 8;
  }
  store<f32>(scale, kept > 0 ? <f32>(length / kept) : 0);
}
