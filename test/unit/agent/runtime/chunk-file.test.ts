import { describe, expect, it } from 'vitest';
import { ChunkFile, readChunkPlaces, type ChunkPlaces } from '../../../../src/parts/long-term/chunk-file.js';
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
function stored(file: ChunkFile, chunks: Record<number, unknown>): Map<number, ChunkPlaces> {
  return new Map(
    Object.entries(chunks).map(([number, value]) => {
      const places = readChunkPlaces(structuredClone(file.write(Number(number), value)));
      if (places === null) throw new Error('not written');
      return [Number(number), places];
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
    expect([...places].map(([number, { inFile }]) => [number, next.read(inFile)])).toEqual(
      Object.entries(values).map(([number, value]) => [Number(number), value]),
    );
  });

  it.each(['a lost end', 'a sector of zeros', 'a sector of another chunk', 'a lost file'])(
    'returns null for a chunk with %s, and the other one whole',
    (what) => {
      const file = new FileInMemory();
      const values = { 0: chunk('birch '), 1: chunk('cedar ') };
      const places = stored(new ChunkFile(file, new Map()), values);
      const [first, second] = [places.get(0)?.inFile, places.get(1)?.inFile];
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
    const [former, later] = [before.get(0)?.inFile, after.get(0)?.inFile];
    if (former === undefined || later === undefined) throw new Error('not stored');
    expect([file.read(former), file.read(later)]).toEqual([chunk('delta '), chunk('ember ')]);
    file.eraseReplaced(0);
    expect([file.read(former), file.read(later)]).toEqual([null, chunk('ember ')]);
    const size = memory.getSize();
    expect(stored(file, { 1: chunk('fjord ') }).get(1)?.inFile.at).toBe(former.at);
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

  it('erases what a writer left that crashed before its commit', async () => {
    const memory = new FileInMemory();
    const crashed = new ChunkFile(memory, new Map());
    stored(crashed, { 0: chunk('jetty ') });
    const places = stored(crashed, { 1: chunk('kelp ') });
    const { at = 0, length = 0, sum = 0 } = places.get(1)?.inFile ?? {};
    stored(crashed, { 2: chunk('larch ') });
    const file = new ChunkFile(memory, places);
    await file.eraseUnused(async () => {});
    expect(textOf(memory)).not.toMatch(/jetty|larch/);
    expect(memory.getSize()).toBe(at + length);
    expect(file.read({ at, length, sum })).toEqual(chunk('kelp '));
  });

  it('opens without reading the file, and erases piece by piece what is unused', async () => {
    const memory = new FileInMemory();
    const crashed = new ChunkFile(memory, new Map());
    stored(crashed, { 0: chunk('jetty ', 99_999) });
    const places = stored(crashed, { 1: chunk('kelp ') });
    const reads: number[] = [];
    const read = memory.read.bind(memory);
    memory.read = (bytes, options) => {
      reads.push(bytes.length);
      return read(bytes, options);
    };
    const file = new ChunkFile(memory, places);
    expect(reads).toEqual([]);
    const pieces: boolean[] = [];
    let later = new Map<number, ChunkPlaces>();
    await file.eraseUnused(async () => {
      if (pieces.length === 1) later = stored(file, { 2: chunk('larch ') }); // reuses erased space
      pieces.push(textOf(memory).includes('jetty'));
    });
    expect(pieces.length).toBeGreaterThan(3);
    expect([pieces[1], pieces.at(-1)]).toEqual([true, false]);
    expect(Math.max(...reads)).toBeLessThanOrEqual(524_288);
    const readAgain = [places.get(1), later.get(2)].map((place) => place && file.read(place.inFile));
    expect(readAgain).toEqual([chunk('kelp '), chunk('larch ')]);
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
    expect(readChunkPlaces(value)).toBeNull();
  });

  it('ignores places outside of the file', () => {
    const memory = new FileInMemory();
    const outside = { at: 0, length: 2 ** 50, sum: 1 };
    const file = new ChunkFile(memory, new Map([[0, { inFile: outside, texts: outside }]]));
    expect(file.read(outside)).toBeNull();
    expect(file.text(0)).toBeUndefined();
    expect(stored(file, { 1: chunk('olive ') }).get(1)?.inFile.at).toBe(0);
  });

  describe('with the texts of memories', () => {
    const memory = (number: number, content: string) => ({
      number,
      value: { id: `m${number}`, number, message: { content } },
    });
    const rows = [
      memory(2048, 'amber'),
      memory(2049, 'Bewässerung 水 \uD800'),
      memory(3071, 'cedar '.repeat(99)),
    ];

    /** A file with chunk 2, its texts, and chunk 3. */
    function filled(): { memory: FileInMemory; file: ChunkFile; places: Map<number, ChunkPlaces> } {
      const inMemory = new FileInMemory();
      const file = new ChunkFile(inMemory, new Map());
      stored(file, { 2: chunk('index ') });
      const places = readChunkPlaces(
        file.writeTexts(
          2,
          rows.map(({ number, value }) => ({ number, value: { ...value, vector: new Float32Array(9) } })),
        ),
      );
      if (places === null) throw new Error('not written');
      return {
        memory: inMemory,
        file,
        places: new Map([[2, places], ...stored(file, { 3: chunk('next ') })]),
      };
    }

    it('returns each memory without its vector, also to the next writer, and the chunk', () => {
      const { memory: inMemory, file, places } = filled();
      expect(inMemory.unflushed).toBe(0);
      for (const one of [file, new ChunkFile(inMemory, places)]) {
        expect(rows.map(({ number }) => one.text(number))).toEqual(rows.map(({ value }) => value));
        expect([2047, 2050, 3072].map((number) => one.text(number))).toEqual([
          undefined,
          undefined,
          undefined,
        ]);
        expect([2, 3].map((number) => one.hasTexts(number))).toEqual([true, false]);
        expect(one.read(places.get(2)?.inFile ?? { at: 0, length: 0, sum: 0 })).toEqual(chunk('index '));
      }
    });

    it('returns the places of both when one of them is written again', () => {
      const { file, places } = filled();
      const again = stored(file, { 2: chunk('index again ') }).get(2);
      expect(again?.texts).toEqual(places.get(2)?.texts);
      expect(again?.inFile).not.toEqual(places.get(2)?.inFile);
      file.eraseReplaced(2);
      expect(file.text(2048)).toEqual(rows[0]?.value);
    });

    it.each(['a changed letter', 'zeros', 'a damaged head', 'a lost file', 'a closed file'])(
      'returns undefined for a memory with %s',
      (what) => {
        const { memory: inMemory, places } = filled();
        const { at = 0 } = places.get(2)?.texts ?? {};
        const last = new TextDecoder('latin1').decode(inMemory.bytes).lastIndexOf('cedar cedar');
        if (what === 'a changed letter') inMemory.bytes.set([98], last);
        if (what === 'zeros') inMemory.bytes.fill(0, last - 40, last + 99);
        if (what === 'a damaged head') inMemory.bytes.fill(0, at + 1024, at + 1536);
        if (what === 'a lost file') inMemory.truncate(0);
        const file = new ChunkFile(inMemory, places);
        if (what === 'a closed file')
          inMemory.read = () => {
            throw new DOMException('Closed.', 'InvalidStateError');
          };
        expect(file.text(3071)).toBeUndefined();
        const isOneOnly = what === 'a changed letter' || what === 'zeros';
        expect(file.text(2048)).toEqual(isOneOnly ? rows[0]?.value : undefined);
        expect(file.hasTexts(2)).toBe(isOneOnly);
      },
    );

    it('contains nothing of the memories of an erased chunk', () => {
      const { memory: inMemory, file } = filled();
      file.writeTexts(2, [memory(2048, 'amber later')]);
      file.erase(2);
      expect(textOf(inMemory)).not.toMatch(/amber|cedar/);
      expect(file.text(2048)).toBeUndefined();
      expect(file.writeTexts(2, rows)).toBeNull();
    });

    it('erases texts that were not committed', async () => {
      const { memory: inMemory, file, places } = filled();
      file.writeTexts(2, [memory(2048, 'delta')]);
      const { inFile } = places.get(2) ?? {};
      const next = new ChunkFile(inMemory, new Map(inFile && [[2, { inFile }]]));
      await next.eraseUnused(async () => {});
      expect(textOf(inMemory)).not.toMatch(/amber|delta/);
      expect(next.text(2048)).toBeUndefined();
    });
  });
});
