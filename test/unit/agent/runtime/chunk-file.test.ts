import { describe, expect, it } from 'vitest';
import { ChunkFile, readChunkPlace, type ChunkPlace } from '../../../../src/agent/runtime/chunk-file.js';
import { FileInMemory } from './file-in-memory.js';

const chunk = (text: string, count = 300) => ({
  format: 1,
  names: ['Ann', 'Bob'],
  text: text.repeat(count),
  numbers: Float64Array.from({ length: count }, (_, at) => at / 3),
  hashes: Uint32Array.from({ length: count }, (_, at) => 4_000_000_000 + at),
  slots: Uint16Array.of(1, 2, 65_535),
  counts: Uint8Array.of(255, 0, 1, 2, 3),
});

/** Writes chunks and returns what a commit stores. */
function stored(file: ChunkFile, chunks: Record<number, unknown>): Map<number, ChunkPlace> {
  return new Map(
    Object.entries(chunks).map(([number, value]) => {
      const place = readChunkPlace(file.write(Number(number), value));
      if (place === null) throw new Error('not written');
      return [Number(number), place];
    }),
  );
}

const textOf = ({ bytes }: FileInMemory) => new TextDecoder().decode(bytes);

describe('a file of chunks', () => {
  it('returns each chunk as it was written, also to the next writer', () => {
    const file = new FileInMemory();
    const values = { 3: chunk('amber '), 5: chunk('Bewässerung 水 \uD800'), 6: chunk('', 0) };
    const places = stored(new ChunkFile(file, new Map()), values);
    expect(file.unflushed).toBe(0);
    const next = new ChunkFile(file, places);
    expect([...places].map(([number, place]) => [number, next.read(place)])).toEqual(
      Object.entries(values).map(([number, value]) => [Number(number), value]),
    );
  });

  it.each(['a lost end', 'a sector of zeros', 'a sector of another chunk', 'a lost file'])(
    'returns null for a chunk with %s, and the other one whole',
    (what) => {
      const file = new FileInMemory();
      const values = { 0: chunk('birch '), 1: chunk('cedar ') };
      const places = stored(new ChunkFile(file, new Map()), values);
      const [first, second] = [places.get(0), places.get(1)];
      if (first === undefined || second === undefined) throw new Error('not stored');
      const sector = second.at + 1024;
      if (what === 'a lost end') file.truncate(file.getSize() - 8);
      if (what === 'a sector of zeros') file.bytes.fill(0, sector, sector + 512);
      if (what === 'a sector of another chunk')
        file.bytes.copyWithin(sector, first.at + 2048, first.at + 2560);
      if (what === 'a lost file') file.truncate(0);
      const next = new ChunkFile(file, places);
      expect(next.read(second)).toBeNull();
      expect(next.read(first)).toEqual(what === 'a lost file' ? null : values[0]);
    },
  );

  it('keeps a replaced chunk until its successor is committed, then reuses its space', () => {
    const memory = new FileInMemory();
    const file = new ChunkFile(memory, new Map());
    const before = stored(file, { 0: chunk('delta ') });
    const after = stored(file, { 0: chunk('ember ') });
    const [former, later] = [before.get(0), after.get(0)];
    if (former === undefined || later === undefined) throw new Error('not stored');
    expect([file.read(former), file.read(later)]).toEqual([chunk('delta '), chunk('ember ')]);
    file.eraseReplaced(0);
    expect([file.read(former), file.read(later)]).toEqual([null, chunk('ember ')]);
    const size = memory.getSize();
    expect(stored(file, { 1: chunk('fjord ') }).get(1)?.at).toBe(former.at);
    expect(memory.getSize()).toBe(size);
  });

  it('contains nothing of an erased chunk', () => {
    const memory = new FileInMemory();
    const file = new ChunkFile(memory, new Map());
    stored(file, { 0: chunk('glade '), 1: chunk('heron ') });
    stored(file, { 0: chunk('glade islet ') });
    file.erase(0);
    expect(textOf(memory)).not.toContain('glade');
    expect(textOf(memory)).toContain('heron');
  });

  it('erases what a writer left that crashed before its commit', () => {
    const memory = new FileInMemory();
    const crashed = new ChunkFile(memory, new Map());
    stored(crashed, { 0: chunk('jetty ') });
    const places = stored(crashed, { 1: chunk('kelp ') });
    const { at = 0, length = 0 } = places.get(1) ?? {};
    stored(crashed, { 2: chunk('larch ') });
    const file = new ChunkFile(memory, places);
    expect(textOf(memory)).not.toMatch(/jetty|larch/);
    expect(memory.getSize()).toBe(at + length);
    expect(file.read({ at, length, sum: places.get(1)?.sum ?? 0 })).toEqual(chunk('kelp '));
  });

  it('reports a chunk that does not fit on the disk', () => {
    const memory = new FileInMemory();
    memory.room = 1000;
    expect(new ChunkFile(memory, new Map()).write(0, chunk('marsh '))).toBeNull();
  });

  it.each([
    { inFile: { at: 4, length: 8, sum: 1 } },
    { inFile: { at: 0, length: -8, sum: 1 } },
    { inFile: { at: 0, length: 2 ** 60, sum: 1 } },
    { inFile: { at: 0, length: 8 } },
    { inFile: 'north' },
    null,
  ])('does not read %j as a place', (value) => {
    expect(readChunkPlace(value)).toBeNull();
  });

  it('ignores places outside of the file', () => {
    const memory = new FileInMemory();
    const outside = { at: 0, length: 2 ** 50, sum: 1 };
    const file = new ChunkFile(memory, new Map([[0, outside]]));
    expect(file.read(outside)).toBeNull();
    expect(stored(file, { 1: chunk('olive ') }).get(1)?.at).toBe(0);
  });
});
