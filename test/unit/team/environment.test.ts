import { describe, expect, it } from 'vitest';
import { Action, Message, UserMessage, UserRequirement } from '../../../src/core/message.js';
import { Environment } from '../../../src/team/environment.js';
import { Role } from '../../../src/metagpt/role.js';

class Echo extends Action {
  static override readonly id = 'Echo';
  override async run(history: readonly Message[]): Promise<string> {
    return `echo of ${history.at(-1)?.content}`;
  }
}
class Scribe extends Role {
  static override readonly id = 'Scribe';
}

const role = (name: string): Role => new Scribe({ name, actions: [Echo] });
const run = { id: 'run', signal: new AbortController().signal };

describe('addresses', () => {
  it('A-012 contain the class of a role, and its name when it has one', () => {
    expect([...new Scribe({ name: '' }).agent.addresses]).toEqual(['Scribe']);
    expect([...role('n').agent.addresses]).toEqual(['Scribe', 'n']);
  });

  it('A-012 are exactly those that were set', () => {
    const environment = new Environment();
    const scribe = role('n');
    environment.addRole(scribe);
    scribe.agent.addresses = new Set(['t']);
    expect([...environment.getAddresses('n')]).toEqual(['t']);
  });
});

describe('an environment', () => {
  it('delivers to the addressed roles, returns their names, and stores each message once', () => {
    const environment = new Environment();
    environment.addRole(role('Ann'));
    environment.addRole(role('Bob'));
    const toBob = new UserMessage({ content: 'hi', sendTo: ['Bob'] });
    expect(environment.publishMessage(toBob)).toEqual(['Bob']);
    expect(environment.publishMessage(new UserMessage('all of you'))).toEqual(['Ann', 'Bob']);
    expect(environment.publishMessage(new UserMessage({ content: 'who?', sendTo: ['Nobody'] }))).toEqual([]);
    expect(environment.history.get().map((message) => message.content)).toEqual(['hi', 'all of you', 'who?']);
  });

  it('rejects two roles of one name, and a role without', () => {
    const environment = new Environment();
    environment.addRole(role('Ann'));
    expect(() => environment.addRole(role('Ann'))).toThrow(/already a role named "Ann"/);
    expect(() => environment.addRole(role(''))).toThrow(/this name is a reserved address/);
  });

  it('runs until all roles are idle', async () => {
    const environment = new Environment();
    environment.addRole(role('Ann'));
    environment.addRole(role('Bob'));
    environment.publishMessage(new UserMessage({ content: 'hi', causeBy: UserRequirement, sendTo: ['Bob'] }));
    const outcome = await environment.run(run);
    expect(outcome).toMatchObject({
      status: 'done',
      message: { content: 'echo of hi', causeBy: 'Echo', sentFrom: 'Bob' },
    });
    expect(environment.isIdle).toBe(true);
    expect(await environment.run(run)).toBeNull();
  });
});
