import { expose } from 'comlink';
import { afterEach, describe, expect, it } from 'vitest';
import { exposed } from '../../../src/wire/exposed.js';

const text = (value: string) => ({ type: 'RAW', value });
const ports: MessagePort[] = [];
afterEach(() => ports.splice(0).forEach((port) => port.close()));

/** The reply to a message of Comlink's protocol from untrusted code at the other end of the port. */
function other(api: object): (message: Record<string, unknown>) => Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  expose(api, port1);
  let calls = 0;
  return (message) =>
    new Promise((resolve) => {
      const id = `call ${(calls += 1)}`;
      const hear = ({ data }: MessageEvent<{ id: string }>): void => {
        if (data.id !== id) return;
        port2.removeEventListener('message', hear);
        resolve(data);
      };
      port2.addEventListener('message', hear);
      port2.start();
      port2.postMessage({ id, ...message });
    });
}

const api = (): { greet: (name: string) => string } =>
  exposed<{ greet: (name: string) => string }>({ greet: (name) => `hello ${String(name)}` });

describe('an object exposed over a port', () => {
  it('can be called', async () => {
    const ask = other(api());
    expect(await ask({ type: 'APPLY', path: ['greet'], argumentList: [text('you')] })).toMatchObject({
      type: 'RAW',
      value: 'hello you',
    });
  });

  it.each([
    ['APPLY', ['greet', 'constructor']],
    ['CONSTRUCT', ['greet', 'constructor']],
    ['CONSTRUCT', ['greet']],
    ['APPLY', ['greet', 'apply']],
    ['CONSTRUCT', ['greet', 'apply', 'constructor']],
    ['APPLY', ['greet', 'call']],
    ['APPLY', ['greet', 'bind']],
    ['APPLY', ['greet', '__proto__', 'apply', '__proto__', 'constructor']],
    ['APPLY', ['constructor', 'constructor']],
    ['APPLY', ['__proto__', 'constructor']],
    ['APPLY', []],
    ['GET', ['greet']],
    ['SET', ['greet']],
    ['SET', ['greet', 'apply']],
    ['SET', ['__proto__']],
  ])('exposes nothing else: %s %j', async (type, path) => {
    const own = api();
    const ask = other(own);
    const answer = await ask({ type, path, argumentList: [text('return 1')], value: text('mine') });
    expect(answer).toMatchObject({ type: 'HANDLER', name: 'throw' });
    expect(own.greet('you')).toBe('hello you');
  });
});
