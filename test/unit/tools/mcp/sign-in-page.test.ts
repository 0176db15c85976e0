import { expect, it } from 'vitest';
import { mcpSignIn } from '../../../../src/tools/mcp/page/index.js';
import { SIGN_IN_CHANNEL } from '../../../../src/tools/mcp/sign-in-protocol.js';

type Options = NonNullable<Parameters<typeof mcpSignIn>[0]>;

/** Asks the page to sign in at a URL; returns the host that the user is shown. */
async function signIn(url: string, options: Options = {}): Promise<string> {
  const shown: string[] = [];
  const tool = mcpSignIn({
    ...options,
    prompt: ({ host }) => {
      shown.push(host);
      const channel = new BroadcastChannel(SIGN_IN_CHANNEL);
      channel.postMessage('state');
      channel.close();
    },
  });
  await tool.call({ server: 'docs', url, state: 'state' }, {
    signal: new AbortController().signal,
  } as never);
  return shown.join();
}

it('opens https pages', async () => {
  expect(await signIn('https://login.example/authorize')).toBe('login.example');
});

it.each([
  'http://localhost:3000/any',
  'http://127.0.0.1:3000/any',
  'http://[::1]:3000/any',
  'http://login.example/',
])('does not open %s', async (url) => {
  await expect(signIn(url)).rejects.toThrow('A sign-in needs an https page');
});

it('opens pages of this machine where the application allows it, and no others', async () => {
  expect(await signIn('http://localhost:3000/authorize', { allowLocalhost: true })).toBe('localhost:3000');
  await expect(signIn('http://login.example/', { allowLocalhost: true })).rejects.toThrow(
    'needs an https page',
  );
});
