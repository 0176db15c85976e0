import { html, nothing, type TemplateResult } from 'lit';
import type { PlanData } from 'rolezero';
import { t } from '../text/index.js';
import { icon } from './icons.js';

type TaskData = PlanData['tasks'][number];
type TaskState = 'done' | 'current' | 'open';

/**
 * The plan as a checklist, folded to one line with the current task. Nothing without a plan. `toggled`: called when it
 * was opened or closed, which changes the height of the conversation.
 */
export function planView(plan: PlanData | null, toggled: () => void): TemplateResult | typeof nothing {
  const tasks = plan?.tasks ?? [];
  if (tasks.length === 0) return nothing;
  const done = tasks.filter((task) => task.isFinished).length;
  const current = plan?.currentTaskId ?? '';
  const isShared = new Set(tasks.map(({ assignee }) => assignee)).size > 1;
  const next = tasks.find((task) => stateOf(task, current) === 'current');
  return html`<details class="plan" @toggle=${toggled}>
    <summary>
      ${icon('forward')}
      <span class="sr">${t.panes.plan}:</span>
      <span class="figure">${t.tasksDone(done, tasks.length)}</span>
      <span aria-hidden="true">·</span>
      ${
        next === undefined
          ? html`<span class="task">${done === tasks.length ? t.allTasksDone : t.panes.plan}</span>`
          : html`<span class="sr">${t.taskStates.current}:</span>
              <span class="task">${next.instruction}</span>`
      }
      <span class="progress" aria-hidden="true"
        ><span style="width: ${(100 * done) / tasks.length}%"></span
      ></span>
    </summary>
    <ol class="tasks" role="list" aria-label=${t.panes.plan} tabindex="0">
      ${tasks.map((task) => taskView(task, stateOf(task, current), isShared))}
    </ol>
  </details>`;
}

/** A task with its state as a symbol and in words. `isShared`: several roles have tasks. */
function taskView(task: TaskData, state: TaskState, isShared: boolean): TemplateResult {
  const { taskId, instruction, assignee, dependentTaskIds } = task;
  return html`<li class=${state} data-task=${taskId} aria-current=${state === 'current' ? 'step' : 'false'}>
    <span class="mark" aria-hidden="true">
      ${state === 'open' ? nothing : icon(state === 'done' ? 'check' : 'play')}
    </span>
    <div>
      <span class="number">${taskId}.</span> ${instruction}
      <small>
        ${t.taskStates[state]}${assignee === '' || !isShared ? nothing : html` · ${assignee}`}${
          dependentTaskIds.length === 0 ? nothing : html` · ${t.after(dependentTaskIds.join(', '))}`
        }
      </small>
    </div>
  </li>`;
}

function stateOf(task: TaskData, current: string): TaskState {
  return task.isFinished ? 'done' : task.taskId === current ? 'current' : 'open';
}
