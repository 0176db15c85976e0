import { deleteDB } from 'idb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChatModel } from '../../../src/core/model.js';
import { keyVault, type passkeySecret } from '../../../src/keys/index.js';

type Vault = ReturnType<typeof keyVault>;

const page = () =>
  import('documented:docs/how-to/keys.md/async function askForKey') as Promise<{
    askForKey: (isRefused?: boolean) => Promise<void>;
  }>;
const passphrases = () =>
  import('documented:docs/how-to/keys.md/export const withPasskey') as Promise<{
    typed: Vault;
    withPasskey: (application: Parameters<typeof passkeySecret>[0]['application']) => Vault;
  }>;

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await Promise.all([deleteDB('rolezero-keys'), deleteDB('my-keys')]);
});

describe('the samples of the page about keys', () => {
  it('ask for a key once, and again after the service has refused it', async () => {
    const { askForKey } = await page();
    const answers = ['sk-wrong', 'sk-right'];
    const prompt = vi.spyOn(window, 'prompt').mockImplementation(() => answers.shift() ?? null);
    await askForKey();
    await askForKey();
    expect([await keyVault().get('openai'), prompt.mock.calls.length]).toEqual(['sk-wrong', 1]);
    await askForKey(true);
    expect([await keyVault().get('openai'), prompt.mock.calls.length]).toEqual(['sk-right', 2]);
    await askForKey(true); // the user cancels
    expect(await keyVault().get('openai')).toBe(null);
  });

  it('read the key before each request', async () => {
    const { ownModel } = (await import('documented:docs/how-to/keys.md/export const ownModel')) as {
      ownModel: () => ChatModel;
    };
    const sent: (string | null)[] = [];
    vi.stubGlobal('fetch', async (_url: string, { headers }: RequestInit) => {
      sent.push(new Headers(headers).get('authorization'));
      return Response.json({ choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }] });
    });
    const model = ownModel();
    const { signal } = new AbortController();
    for (const key of ['sk-1234567', 'sk-7654321']) {
      await keyVault().put('openai', key);
      for await (const chunk of model.chat({ purpose: 'other', messages: [], signal })) void chunk;
    }
    expect(sent).toEqual(['Bearer sk-1234567', 'Bearer sk-7654321']);
  });

  it('ask for the passphrase when a secret is first needed', async () => {
    const { typed } = await passphrases();
    const prompt = vi.spyOn(window, 'prompt').mockReturnValue('correct horse battery staple');
    await typed.put('openai', 'sk-1234567');
    expect([await typed.get('openai'), prompt.mock.calls.length]).toEqual(['sk-1234567', 1]);
    await expect(keyVault().get('openai')).rejects.toMatchObject({ code: 'invalid' });
  });

  it('ask a passkey of the application', async () => {
    const { withPasskey } = await passphrases();
    const create = vi
      .spyOn(navigator.credentials, 'create')
      .mockRejectedValue(new DOMException('The user declined.', 'NotAllowedError'));
    await expect(withPasskey('Notes').put('openai', 'sk-1234567')).rejects.toMatchObject({
      code: 'permission',
    });
    expect(create.mock.calls[0]?.[0]?.publicKey?.rp.name).toBe('Notes');
  });
});
