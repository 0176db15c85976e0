import { afterEach, expect, it } from 'vitest';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { Session } from '../../../../src/session/session.js';
import { memoryStorage } from '../../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../../src/testing/index.js';
import { mcp } from '../../../../src/tools/mcp/index.js';
import { returnedName, type SignInRequest } from '../../../../src/tools/mcp/sign-in-protocol.js';
import { startProtectedServer, type ProtectedServer } from '../../../mcp-server/authorization-server.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

function vaultOf(secrets: Map<string, string>) {
  return {
    put: async (name: string, secret: string) => void secrets.set(name, secret),
    get: async (name: string) => secrets.get(name) ?? null,
    remove: async (name: string) => void secrets.delete(name),
  };
}

async function protectedServer(): Promise<ProtectedServer> {
  const server = await startProtectedServer();
  open.push(server);
  return server;
}

/** Runs a session whose model signs in and calls the tool. */
async function signedIn(
  { server }: ProtectedServer,
  secrets: Map<string, string>,
  onSignIn: (request: SignInRequest) => Promise<void>,
) {
  const redirectUrl = 'http://127.0.0.1:1/signed-in.html';
  const source = mcp({ name: 'test', url: server.url, signIn: { vault: vaultOf(secrets), redirectUrl } });
  open.push(source);
  const end = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);
  const think = [commands(['test.sign_in', {}]), commands(['test.whoami', {}]), end];
  const session = await Session.open({
    storage: memoryStorage(),
    name: 'one',
    roles: [
      new RoleZero({
        model: scriptedModel({ think }),
        tools: [source],
        language: 'English',
        summarize: false,
      }),
    ],
    emit: () => {},
    callPage: async (_id, _name, input) => onSignIn(input as SignInRequest),
    askUser: async () => 'yes',
  });
  open.push(session);
  await (
    await session.send('Sign me in, and say who I am.')
  ).result;
  const messages = session.messages();
  return messages.map(({ content }) => content).filter((content) => content.startsWith('Command '));
}

/** Signs in as a browser does: follows the redirect, and stores the query of the page that it leads to. */
async function agree({ url, state }: SignInRequest, secrets: Map<string, string>): Promise<void> {
  const { headers } = await fetch(url, { redirect: 'manual' });
  secrets.set(returnedName(state), new URL(headers.get('location') ?? '').search);
}

it('signs the user in with PKCE, stores the tokens in the vault, and uses them again', async () => {
  const server = await protectedServer();
  const secrets = new Map<string, string>();
  const asked: SignInRequest[] = [];
  const outputs = await signedIn(server, secrets, async (request) => {
    asked.push(request);
    await agree(request, secrets);
  });
  expect(outputs.slice(0, 2)).toEqual([
    'Command test.sign_in executed: The user has signed in.',
    'Command test.whoami executed: Ada',
  ]);
  const parameters = new URL(asked[0]?.url ?? '').searchParams;
  expect(parameters.get('code_challenge_method')).toBe('S256');
  expect(parameters.get('state')).toBe(asked[0]?.state);
  expect([...secrets.keys()].map((name) => name.split(' ').slice(0, 2).join(' ')).toSorted()).toEqual([
    'mcp client',
    'mcp discovery',
    'mcp tokens',
    'mcp verifier',
  ]);
  const again = await signedIn(server, secrets, () => Promise.reject(new Error('was asked again')));
  expect(again[1]).toBe('Command test.whoami executed: Ada');
});

it('continues a sign-in for which the page was left', async () => {
  const server = await protectedServer();
  const secrets = new Map<string, string>();
  const left = await signedIn(server, secrets, async (request) => {
    await agree(request, secrets);
    throw new Error('The page is gone.');
  });
  expect(left[0]).toContain('The page is gone.');
  expect(left[1]).toBe('Command test.whoami executed: Ada');
});

it('does not accept an answer for another sign-in', async () => {
  const server = await protectedServer();
  const secrets = new Map<string, string>();
  const outputs = await signedIn(server, secrets, async (request) => {
    await agree({ ...request, state: 'of-mallory' }, secrets);
  });
  expect(outputs[0]).toBe('Command test.sign_in executed: The sign-in has returned nothing.');
  expect(outputs[1]).toContain('Command test.whoami not found.');
  expect(server.authorization.tokens.size).toBe(0);
});
