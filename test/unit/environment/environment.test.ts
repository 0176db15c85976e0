import { describe, expect, it } from 'vitest';
import { Action, Message, UserMessage, UserRequirement } from '../../../src/base/message.js';
import { Environment } from '../../../src/environment/environment.js';
import { Role } from '../../../src/role/role.js';

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

describe('addresses (spec 1.6)', () => {
  it('A-012 a role is reached by its class, and by its name when it has one', () => {
    expect([...new Scribe({ name: '' }).addresses]).toEqual(['Scribe']);
    expect([...role('n').addresses]).toEqual(['Scribe', 'n']);
  });

  it('A-012 after setAddresses the table of the environment shows exactly those', () => {
    const environment = new Environment();
    const scribe = role('n');
    environment.addRole(scribe);
    scribe.setAddresses(['t']);
    expect([...environment.getAddresses('n')]).toEqual(['t']);
  });
});

describe('an environment (spec 21.1)', () => {
  it('delivers to whoever is meant, says who that was, and keeps each message once', () => {
    const environment = new Environment();
    environment.addRole(role('Ann'));
    environment.addRole(role('Bob'));
    const toBob = new UserMessage({ content: 'hi', sendTo: ['Bob'] });
    expect(environment.publishMessage(toBob)).toEqual(['Bob']);
    expect(environment.publishMessage(new UserMessage('all of you'))).toEqual(['Ann', 'Bob']);
    expect(environment.publishMessage(new UserMessage({ content: 'who?', sendTo: ['Nobody'] }))).toEqual([]);
    expect(environment.history.get().map((message) => message.content)).toEqual(['hi', 'all of you', 'who?']);
  });

  it('refuses two roles of one name, and a role without', () => {
    const environment = new Environment();
    environment.addRole(role('Ann'));
    expect(() => environment.addRole(role('Ann'))).toThrow(/already a role named "Ann"/);
    expect(() => environment.addRole(role(''))).toThrow(/names must differ/);
  });

  it('runs until all is quiet', async () => {
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

describe('a role (spec 5)', () => {
  it('says who it is', () => {
    class Open extends Role {
      get said(): string {
        return this.prefix;
      }
    }
    expect(new Open({ name: 'A', profile: 'P', goal: 'G', constraints: 'C' }).said).toBe(
      'You are a P, named A, your goal is G. Your constraint is: C.',
    );
    expect(new Open({ desc: 'just me' }).said).toBe('just me');
    const environment = new Environment('a workshop');
    const alone = new Open({ name: 'A', profile: 'P', goal: 'G' });
    environment.addRole(alone);
    expect(alone.said).toBe('You are a P, named A, your goal is G. You are in a workshop.');
    environment.addRole(role('B'));
    expect(alone.said).toBe(
      'You are a P, named A, your goal is G. You are in a workshop together with the roles (B).',
    );
  });

  it('acts as often as its limit allows, on one message', async () => {
    const scribe = new Scribe({ name: 'Ann', actions: [Echo], maxReactLoop: 3 });
    expect(await scribe.run('hi')).toMatchObject({ content: 'echo of echo of echo of hi' });
  });

  it('does not work on a message it knows', async () => {
    const scribe = role('Ann');
    const message = new UserMessage({ content: 'hi', causeBy: UserRequirement, sendTo: ['Ann'] });
    await scribe.run(message);
    expect(await scribe.run(message)).toBeNull();
  });

  it('keeps a message to itself in its own inbox, and one to all nowhere when it stands alone', () => {
    const scribe = role('Ann');
    const own = new UserMessage({ content: 'note', sendTo: ['<self>'] });
    scribe.publishMessage(own);
    expect([[...own.sendTo], own.sentFrom, scribe.isIdle]).toEqual([['Scribe'], 'Scribe', false]);
    const other = role('Bob');
    other.publishMessage(new UserMessage('to all'));
    expect(other.isIdle).toBe(true);
  });

  it('lists the react modes there are', () => {
    expect(() => new Scribe({ reactMode: 'dance' as 'react' })).toThrow(/react, by_order, plan_and_act/);
  });

  it('throws why its work failed', async () => {
    class Fail extends Action {
      static override readonly id = 'Fail';
      override async run(): Promise<string> {
        throw new TypeError('broken');
      }
    }
    await expect(new Scribe({ name: 'Ann', actions: [Fail] }).run('hi')).rejects.toMatchObject({
      code: 'internal',
      message: 'broken',
    });
  });
});
