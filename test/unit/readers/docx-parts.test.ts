import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { xmlParts } from '../../../src/readers/docx/xml-parts.js';

const LIMIT = 100_000;
const blob = (files: Record<string, Uint8Array>): Blob => new Blob([zipSync(files)]);

describe('the parts of a Word document', () => {
  it('are those with text, without images', async () => {
    const parts = await xmlParts(
      blob({
        '[Content_Types].xml': strToU8('<Types/>'),
        '_rels/.rels': strToU8('<Relationships/>'),
        'word/document.xml': strToU8('<w:document/>'),
        'word/media/image1.png': new Uint8Array(2 * LIMIT),
      }),
      LIMIT,
    );
    const unpacked = unzipSync(new Uint8Array(parts));
    expect(Object.entries(unpacked).map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual([
      ['[Content_Types].xml', '<Types/>'],
      ['_rels/.rels', '<Relationships/>'],
      ['word/document.xml', '<w:document/>'],
    ]);
  });

  it('are refused when one is too large, also when it is packed to almost nothing', async () => {
    const bomb = blob({ 'word/document.xml': new Uint8Array(50 * LIMIT) });
    expect(bomb.size).toBeLessThan(LIMIT);
    await expect(xmlParts(bomb, LIMIT)).rejects.toMatchObject({
      code: 'invalid',
      message:
        'A part of the document has more than 100000 bytes. Split the document, or raise the option partBytes of docx().',
      detail: { limit: 'partBytes', allowed: LIMIT },
    });
  });

  it('are refused when one has more bytes than it says', async () => {
    const bytes = zipSync({ 'word/document.xml': new Uint8Array(50 * LIMIT) });
    const view = new DataView(bytes.buffer);
    // The directory says that the part has 1,000 bytes.
    for (let at = 0; at < bytes.length - 4; at++) {
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 1_000, true);
      if (view.getUint32(at, true) === 0x04034b50) view.setUint32(at + 22, 1_000, true);
    }
    await expect(xmlParts(new Blob([bytes as BlobPart]), LIMIT)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('comes to more than the 1000 bytes it says') as string,
    });
  });

  it('are refused when there are too many, and when it is no archive', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_001 }, (_, number) => [`word/${number}.xml`, new Uint8Array()] as const),
    );
    await expect(xmlParts(blob(many), LIMIT)).rejects.toMatchObject({ code: 'invalid' });
    await expect(xmlParts(new Blob(['no archive']), LIMIT)).rejects.toMatchObject({ code: 'invalid' });
  });
});
