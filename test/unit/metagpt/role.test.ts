import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import { Action, AIMessage, Message, UserMessage, UserRequirement } from '../../../src/core/message.js';
import type { Storage } from '../../../src/core/store.js';
import { Environment } from '../../../src/team/environment.js';
import type { Task, TaskResult } from '../../../src/plan/task.js';
import { chosenStage } from '../../../src/metagpt/procedure.js';
import { standaloneContext } from '../../../src/agent/runtime/context.js';
import { PlanningRole } from '../../../src/metagpt/planning-role.js';
import { Role } from '../../../src/metagpt/role.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';

class Echo extends Action {
  static override readonly id: string = 'Echo';
  override async run(history: readonly Message[]): Promise<string> {
    return `echo of ${history.at(-1)?.content}`;
  }
}
class Scribe extends Role {
  static override readonly id = 'Scribe';
  get texts(): string {
    return this.prefix;
  }
}
const role = (name: string): Scribe => new Scribe({ name, actions: [Echo] });
const requirement = (content: string, sendTo: string[]): UserMessage =>
  new UserMessage({ content, causeBy: UserRequirement, sendTo });

describe('identity of a role', () => {
  it('A-038 states profile, name and goal, and the constraint; a description replaces all of it', () => {
    const all = { name: 'A', profile: 'P', goal: 'G', constraints: 'C' };
    expect(new Scribe({ name: 'A', profile: 'P', goal: 'G' }).texts).toBe(
      'You are a P, named A, your goal is G.',
    );
    expect(new Scribe(all).texts).toBe('You are a P, named A, your goal is G. Your constraint is: C.');
    expect(new Scribe({ ...all, desc: 'just me' }).texts).toBe('just me');
  });

  it('A-039 names the environment and no others when alone, and lists only B with B', () => {
    const environment = new Environment('a workshop');
    const alone = new Scribe({ name: 'A', profile: 'P', goal: 'G' });
    environment.addRole(alone);
    expect(alone.texts).toBe('You are a P, named A, your goal is G. You are in a workshop.');
    environment.addRole(role('B'));
    expect(alone.texts).toBe(
      'You are a P, named A, your goal is G. You are in a workshop together with the roles (B).',
    );
  });
});

describe('observing and acting', () => {
  it('drops messages that it does not watch and that are not addressed to it', async () => {
    const scribe = role('Ann');
    expect(await scribe.run(new Message({ content: 'x', causeBy: 'Other', sendTo: ['Bob'] }))).toBeNull();
    expect(scribe.memory.count()).toBe(0);
  });

  it('A-041 handles an unwatched message that names it', async () => {
    const message = new Message({ content: 'x', causeBy: 'Other', sendTo: ['Ann'] });
    expect(await role('Ann').run(message)).toMatchObject({ content: 'echo of x' });
  });

  it('A-042 ignores a message it has in memory already', async () => {
    const scribe = role('Ann');
    const message = requirement('hi', ['Ann']);
    await scribe.run(message);
    expect(await scribe.run(message)).toBeNull();
  });

  it('A-043 runs a single action up to the loop limit', async () => {
    const scribe = new Scribe({ name: 'Ann', actions: [Echo], maxReactLoop: 3 });
    expect(await scribe.run('hi')).toMatchObject({ content: 'echo of echo of echo of hi' });
    expect(scribe.memory.getByAction(Echo)).toHaveLength(3);
  });

  it('A-046 stops without an action when the model chooses an unknown stage', async () => {
    class Other extends Echo {
      static override readonly id = 'Other';
    }
    const model = scriptedModel({ stage: '7' });
    const scribe = new Scribe({ name: 'Ann', model, actions: [Echo, Other] });
    const result = await runRole(scribe, requirement('hi', ['Ann']));
    expect(result.outcome).toMatchObject({ status: 'done', message: { content: 'No actions taken yet' } });
    expect(result.memory).toHaveLength(1);
  });

  it('runs the stage that the model chooses', async () => {
    const many = Array.from({ length: 12 }, (_, index) => {
      const action = new Echo();
      action.desc = `stage ${index}`;
      action.run = async () => `did ${index}`;
      return action;
    });
    const model = scriptedModel({ stage: ['I choose 11.', '-1'] });
    const scribe = new Scribe({ name: 'Ann', model, actions: many, maxReactLoop: 5 });
    const result = await runRole(scribe, requirement('hi', ['Ann']));
    expect(result.memory.map((message) => message.content)).toEqual(['hi', 'did 11']);
  });

  it.each([
    ['2', 2],
    ['Stage 10 next', 10],
    ['Of the 12 stages I choose 3, not 4.', 3],
    ['-1', -1],
    ['<think>1 or 2?</think>The goal is reached: -1', -1],
    ['12', -1],
    ['none', -1],
    ['', -1],
  ])('R-107 R-223 uses the first valid stage number of 12 in %j: %i', (reply, stage) => {
    expect(chosenStage(reply, 12)).toBe(stage);
  });

  it('A-047 lists the react modes', () => {
    expect(() => new Scribe({ reactMode: 'dance' as 'react' })).toThrow(/react, by_order, plan_and_act/);
    expect(() => new Scribe({ reactMode: 'plan_and_act' })).toThrow(/extend PlanningRole/);
  });

  it('A-049 by order: reports a failure, and after a reload repeats only the actions that did not succeed', async () => {
    let broken = true;
    class First extends Action {
      static override readonly id = 'First';
      override run = async (): Promise<string> => 'first';
    }
    class Second extends Action {
      static override readonly id = 'Second';
      override run = async (): Promise<string> => {
        if (broken) throw new TypeError('broken');
        return 'second';
      };
    }
    const storage = memoryStorage();
    const open = (on: Storage): Promise<Session> =>
      Session.open({
        storage: on,
        name: 's',
        takeOver: true,
        roles: [new Scribe({ name: 'Ann', actions: [First, Second], reactMode: 'by_order' })],
        askUser: null,
        emit: () => {},
      });
    const contents = (session: Session): string[] => session.messages().map((message) => message.content);
    const session = await open(storage);
    const failed = await (await session.send(requirement('do both', ['Ann']))).result;
    expect(failed).toMatchObject({ status: 'failed', error: { message: 'broken' } });
    expect(contents(session)).toEqual(['first']);
    await session.close();

    broken = false;
    const again = await open(storage);
    expect([again.resumable, contents(again)]).toEqual([true, ['first']]);
    expect(await (await again.resume()).result).toMatchObject({ status: 'done' });
    expect(contents(again)).toEqual(['first', 'do both', 'second']);
  });

  it('throws the error of its action after its state was stored', async () => {
    class Fail extends Action {
      static override readonly id = 'Fail';
      override async run(): Promise<string> {
        throw new TypeError('broken');
      }
    }
    const scribe = new Scribe({ name: 'Ann', actions: [Fail] });
    await expect(scribe.run('hi')).rejects.toMatchObject({ code: 'internal', message: 'broken' });
    expect(scribe.agent.state.phase).toBe('failed');
  });

  it('R-109 removing an observed message does not fail, also after the turn', async () => {
    for (const failing of [1, 2]) {
      let commits = 0;
      const scribe = role('Ann');
      scribe.agent.attach({
        ...standaloneContext(),
        commit: async () => {
          commits += 1;
          if (commits >= failing) throw new RoleZeroError('storage-full', 'The disk is full.');
        },
      });
      await expect(scribe.run('hi')).rejects.toMatchObject({ code: 'storage-full' });
    }
  });

  it('R-262 runs one turn at a time: messages that arrive meanwhile wait for the next', async () => {
    const log: string[] = [];
    class Slow extends Action {
      static override readonly id = 'Slow';
      override async run(history: readonly Message[]): Promise<string> {
        const text = history.at(-1)?.content ?? '';
        log.push(`begin ${text}`);
        await new Promise((resolve) => setTimeout(resolve, 1));
        log.push(`end ${text}`);
        return `did ${text}`;
      }
    }
    const scribe = new Scribe({ name: 'Ann', actions: [Slow] });
    const results = await Promise.all([scribe.run('one'), scribe.run('two')]);
    expect(log).toEqual(['begin one', 'end one', 'begin two', 'end two']);
    expect(results.map((message) => message?.content)).toEqual(['did one', 'did two']);
  });

  it('R-225 does not change when it joins an environment', () => {
    const scribe = new Scribe({ name: 'Ann', actions: [Echo], watch: ['Rain'] });
    scribe.memory.add(new UserMessage('before'));
    const own = () => [
      scribe.name,
      [...scribe.agent.addresses],
      [...scribe.watch],
      scribe.actions,
      scribe.memory.get(),
      scribe.texts,
    ];
    const before = own();
    new Environment().addRole(scribe);
    expect(own()).toEqual(before);
  });

  it('uses a message returned as result unchanged', async () => {
    class Say extends Action {
      static override readonly id = 'Say';
      override run = async (): Promise<Message> => new AIMessage({ content: 'said', causeBy: 'Elsewhere' });
    }
    expect(await new Scribe({ name: 'Ann', actions: [Say] }).run('hi')).toMatchObject({
      causeBy: 'Elsewhere',
    });
  });
});

describe('plan_and_act ', () => {
  const plan = (...tasks: [id: string, dependsOn: string[], instruction: string][]): string =>
    JSON.stringify(
      tasks.map(([task_id, dependent_task_ids, instruction]) => ({
        task_id,
        dependent_task_ids,
        instruction,
        task_type: 'other',
      })),
    );

  class Builder extends PlanningRole {
    static override readonly id = 'Builder';
    done: string[] = [];
    failures = 0;
    protected override async actOnTask(task: Task): Promise<TaskResult> {
      this.done.push(task.instruction);
      return this.failures-- > 0
        ? { result: 'no', isSuccess: false }
        : { result: `${task.instruction}: ok`, isSuccess: true };
    }
  }

  it('plans, runs each task in order and returns the plan as its result', async () => {
    const model = scriptedModel({ plan: [plan(['1', [], 'dig'], ['2', ['1'], 'plant'])] });
    const builder = new Builder({ name: 'Bob', model });
    const result = await runRole(builder, requirement('a garden', ['Bob']));
    expect(builder.done).toEqual(['dig', 'plant']);
    expect(result.outcome).toMatchObject({
      status: 'done',
      message: { role: 'assistant', sentFrom: 'Bob()' },
    });
    expect(result.outcome.message?.content).toContain('a garden');
    expect(result.plan.tasks.map((task) => [task.instruction, task.isFinished])).toEqual([
      ['dig', true],
      ['plant', true],
    ]);
  });

  it('changes the plan when a task fails, and creates a new one for the next request', async () => {
    const model = scriptedModel({
      plan: [plan(['1', [], 'dig']), plan(['1', [], 'dig deeper']), plan(['1', [], 'paint'])],
    });
    const builder = new Builder({ name: 'Bob', model });
    builder.failures = 1;
    const first = await runRole(builder, requirement('a pond', ['Bob']));
    expect(builder.done).toEqual(['dig', 'dig deeper']);
    expect(first.outcome.status).toBe('done');
    const second = await runRole(builder, requirement('a fence', ['Bob']));
    expect([builder.done.at(-1), second.plan.goal]).toEqual(['paint', 'a fence']);
  });

  it('asks the user to confirm plan and results, except in auto mode', async () => {
    const model = scriptedModel({ plan: [plan(['1', [], 'dig'])] });
    const builder = new Builder({ name: 'Bob', model, autoRun: false });
    const result = await runRole(builder, requirement('a pond', ['Bob']), { answers: ['yes', 'confirm'] });
    expect([result.outcome.status, result.human.questions.length]).toEqual(['done', 2]);
  });

  it('R-222 does not compile for a planning role without `actOnTask`', () => {
    // @ts-expect-error `actOnTask` is missing
    class Idle extends PlanningRole {}
    const idle: PlanningRole = new Idle();
    expect('actOnTask' in idle).toBe(false);
  });
});

describe('publishing ', () => {
  it('A-051 delivers a message to itself to its own inbox, from and to its own class', () => {
    const scribe = role('Ann');
    const own = new UserMessage({ content: 'note', sendTo: ['<self>'] });
    scribe.publishMessage(own);
    expect([[...own.sendTo], own.sentFrom, scribe.agent.isIdle]).toEqual([['Scribe'], 'Scribe', false]);
  });

  it('A-052 ignores a message to all without an environment', () => {
    const scribe = role('Ann');
    expect(scribe.publishMessage(new UserMessage('to all'))).toEqual([]);
    expect(scribe.agent.isIdle).toBe(true);
  });
});

describe('a role played by a user', () => {
  it('A-054 A-267 asks the user what it would ask a model', async () => {
    const zero = new RoleZero({ name: 'Ann', playedByUser: true });
    const answers = ['Response Category: TASK', 'English', commands(['end', {}]), 'I am done.', 'Did it.'];
    const result = await runRole(zero, 'do it', { answers });
    expect(result.outcome).toMatchObject({ status: 'done', summary: 'Did it.' });
    expect(result.human.questions).toHaveLength(5);
    expect(result.human.questions[0]).toContain('Response Category:');
    expect(result.human.replies).toEqual(['I am done.']);
    expect(result.requests).toEqual([]);
  });

  it('reports it when no user is connected', async () => {
    const result = await runRole(new RoleZero({ name: 'Ann', playedByUser: true }), 'do it', {
      human: false,
    });
    expect(result.events.at(-1)).toMatchObject({
      type: 'run-end',
      status: 'failed',
      error: { code: 'invalid' },
    });
  });
});
