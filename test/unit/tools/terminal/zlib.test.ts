import { gunzipSync as nodeGunzip, gzipSync as nodeGzip } from 'node:zlib';
import { expect, test } from 'vitest';
import { smallBuffer } from '../../../../src/tools/terminal/encoding.js';
import { gunzipSync, gzipSync } from '../../../../src/tools/terminal/zlib.js';

const text = 'some text, some text, some more text\n'.repeat(2000);

test('each unpacks what the other packs, at every level', () => {
  const bytes = new TextEncoder().encode(text);
  for (const level of [-1, 0, 1, 6, 9]) {
    expect(nodeGunzip(gzipSync(bytes, { level })).toString()).toBe(text);
    expect(new TextDecoder().decode(gunzipSync(new Uint8Array(nodeGzip(bytes, { level }))))).toBe(text);
  }
});

test('does not unpack a small file with too much content', () => {
  const bomb = new Uint8Array(nodeGzip(new Uint8Array(20_000_000)));
  expect(bomb.length).toBeLessThan(30_000);
  expect(() => gunzipSync(bomb, { maxOutputLength: 1_000_000 })).toThrow('more than 1000000 bytes');
});

test('the partial Buffer behaves like the complete one', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (const encoding of ['latin1', 'base64', 'hex'] as const) {
    const whole = Buffer.from(bytes).toString(encoding);
    expect(smallBuffer.from(bytes).toString(encoding)).toBe(whole);
    expect([...smallBuffer.from(whole, encoding)]).toEqual([...bytes]);
  }
  expect(smallBuffer.from('äö€').toString()).toBe('äö€');
});
