import { expect, it } from 'vitest';
import { imageType } from '../../../src/core/image-type.js';

it.each([
  ['\x89PNG\r\n\x1a\n\0', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF\x04\0\0\0WEBPVP8 ', 'image/webp'],
  ['\0\0\0\x1cftypavif', 'image/avif'],
  ['\0\0\0\x1cftypavis', 'image/avif'],
  ['\0\0\0\x1cftypisom', null], // A video.
  ['RIFF\x04\0\0\0WAVEfmt ', null],
  ['BM\x1e\0\0\0', null],
  ['II*\0', null],
  ['<svg xmlns', null],
  ['', null],
])('an image that starts with %j has the type %j', (start, type) => {
  expect(imageType(Uint8Array.from(start, (letter) => letter.charCodeAt(0)))).toBe(type);
});
