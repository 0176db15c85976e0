import { Buffer } from 'buffer/';
import { call } from './host.js';

const randomBytes = (size: number): Buffer => Buffer.from(call<string>('randomBytes', size), 'hex');

const getRandomValues = <Values extends Uint8Array>(into: Values): Values => {
  new Uint8Array(into.buffer, into.byteOffset, into.byteLength).set(randomBytes(into.byteLength));
  return into;
};

class Hash {
  readonly #parts: Buffer[] = [];
  constructor(readonly algorithm: string) {}
  update(data: string | Uint8Array): this {
    this.#parts.push(typeof data === 'string' ? Buffer.from(data) : Buffer.from(data));
    return this;
  }
  digest(encoding?: string): Buffer | string {
    const all = Buffer.concat(this.#parts).toString('hex');
    const digest = Buffer.from(call<string>('hash', this.algorithm, all), 'hex');
    return encoding === undefined ? digest : digest.toString(encoding);
  }
}

export const webCrypto = { getRandomValues, randomUUID: () => call<string>('randomUUID') };

export const crypto = {
  ...webCrypto,
  webcrypto: webCrypto,
  randomBytes,
  randomInt: (low: number, high?: number) => {
    const [from, to] = high === undefined ? [0, low] : [low, high];
    return from + Math.floor((randomBytes(6).readUIntBE(0, 6) / 2 ** 48) * (to - from));
  },
  createHash: (algorithm: string) => new Hash(algorithm),
  getHashes: () => ['sha256'],
};
