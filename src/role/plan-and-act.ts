import type { Phase } from '../base/events.js';
import { Action, AIMessage, Message } from '../base/message.js';
import { Plan } from '../plan/plan.js';
import { Planner } from '../plan/planner.js';
import type { Task, TaskResult } from '../plan/task.js';
import type { Dialogue, DialogueHost } from './dialogue.js';
import type { DurableQuestion } from './model-call.js';
import type { Outcome, Run } from './outcome.js';
import { readJsonReply } from './read-json-reply.js';

/** What working by a plan needs of the role. */
export interface PlanAndActHost extends DialogueHost {
  profile: string;
  autoRun: boolean;
  enter(phase: Phase): void;
  ask(question: DurableQuestion): Promise<string>;
  dialogue: Dialogue;
  actOnTask(task: Task): Promise<TaskResult>;
  remember(message: Message): Message;
}

/** Makes a plan for the news and works on its tasks until none is left (spec 5.8); what is interrupted in a task begins it again. */
export async function planAndAct(run: Run, host: PlanAndActHost): Promise<Outcome> {
  const reaction = host.reaction();
  const planner = newPlanner(run, host);
  host.enter('thinking');
  if (!reaction.prepared && planner.plan.isPlanFinished()) {
    await planner.updatePlan(reaction.trigger?.content ?? '');
  }
  reaction.prepared = true;
  await keepPlan(planner, host);
  for (let task = planner.plan.currentTask; task !== null; task = planner.plan.currentTask) {
    host.enter('acting');
    const result = await host.actOnTask(task);
    host.enter('thinking');
    await planner.processTaskResult(result);
    reaction.totalSteps += 1;
    await keepPlan(planner, host);
  }
  host.enter('ended');
  const content = planner.getUsefulMemories()[0]?.content ?? '';
  const message = new AIMessage({
    id: host.context().runtime.newId(),
    content,
    sentFrom: `${host.name}(${host.profile})`,
    causeBy: Action,
  });
  return { status: 'done', summary: content, message: host.remember(message), error: null };
}

function newPlanner(run: Run, host: PlanAndActHost): Planner {
  let asked = 0;
  const nextKey = (what: string): string => `${what}:${host.reaction().totalSteps}:${asked++}`;
  const planner = new Planner(
    {
      ask: (text) => host.ask({ purpose: 'plan', key: nextKey('plan'), text, apart: true }),
      review: (text) => host.dialogue.ask(run, nextKey('review'), { kind: 'question', text }),
      readJson: readJsonReply,
      newId: () => host.context().runtime.newId(),
      warn: (message) =>
        host.context().emit({ type: 'warning', code: 'plan', message, detail: { role: host.name } }),
    },
    { plan: Plan.fromData(host.state().plan), autoRun: host.autoRun },
  );
  planner.workingMemory = host.state().workingMemory.map((message) => Message.fromData(message));
  return planner;
}

async function keepPlan(planner: Planner, host: PlanAndActHost): Promise<void> {
  const state = host.state();
  const reaction = host.reaction();
  state.plan = planner.plan.toData();
  state.workingMemory = planner.workingMemory.map((message) => message.toData());
  reaction.replies = {};
  reaction.answers = {};
  host.journal().tell({ type: 'plan-changed', role: host.name, plan: structuredClone(state.plan) });
  await host.commit();
}
