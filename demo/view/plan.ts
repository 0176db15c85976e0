import { html, nothing, svg, type TemplateResult } from 'lit';
import type { PlanData } from 'rolezero';
import { t } from '../text/index.js';
import { icon } from './icons.js';

type TaskData = PlanData['tasks'][number];

/** Distances in the units of the graph. */
const COLUMN = 64;
const ROW = 40;
const RADIUS = 13;

/** The plan as a list with the state of each task, and as a graph of dependencies. */
export function planView(plan: PlanData | null): TemplateResult {
  const tasks = plan?.tasks ?? [];
  if (tasks.length === 0) return html`<p class="empty">${t.noPlan}</p>`;
  const done = tasks.filter((task) => task.isFinished).length;
  const current = plan?.currentTaskId ?? '';
  return html`
    <div class="progress" role="img" aria-label=${t.tasksDone(done, tasks.length)}>
      <span style="width: ${(100 * done) / tasks.length}%"></span>
    </div>
    ${tasks.some((task) => task.dependentTaskIds.length > 0) ? picture(tasks, current) : nothing}
    <ol class="tasks">
      ${tasks.map((task) => {
        const state = stateOf(task, current);
        return html`<li
          class=${state}
          data-task=${task.taskId}
          aria-current=${state === 'current' ? 'step' : 'false'}
        >
          <span class="mark">${task.isFinished ? icon('check') : task.taskId}</span>
          <div>
            ${task.instruction}
            <small>
              ${t.taskStates[state]}${task.assignee === '' ? nothing : html` · ${task.assignee}`}${
                task.dependentTaskIds.length === 0
                  ? nothing
                  : html` · ${t.after(task.dependentTaskIds.join(', '))}`
              }
            </small>
          </div>
        </li>`;
      })}
    </ol>
  `;
}

type TaskState = 'done' | 'current' | 'open';

function stateOf(task: TaskData, current: string): TaskState {
  return task.isFinished ? 'done' : task.taskId === current ? 'current' : 'open';
}

/** Places each task in the column after its last dependency. */
function picture(tasks: readonly TaskData[], current: string): TemplateResult {
  const depth = new Map<string, number>();
  for (const task of tasks) {
    // A plan is sorted: dependencies precede a task.
    depth.set(task.taskId, Math.max(-1, ...task.dependentTaskIds.map((id) => depth.get(id) ?? -1)) + 1);
  }
  const rows = new Map<number, number>();
  const places = new Map(
    tasks.map(({ taskId }) => {
      const column = depth.get(taskId) ?? 0;
      const row = rows.get(column) ?? 0;
      rows.set(column, row + 1);
      return [taskId, { x: column * COLUMN + RADIUS + 3, y: row * ROW + RADIUS + 3 }];
    }),
  );
  const width = Math.max(...[...places.values()].map(({ x }) => x)) + RADIUS + 3;
  const height = Math.max(...[...places.values()].map(({ y }) => y)) + RADIUS + 3;
  return html`<svg
    class="picture"
    viewBox="0 0 ${width} ${height}"
    width=${width}
    height=${height}
    role="img"
    aria-label=${t.graph}
  >
    ${tasks.flatMap(({ taskId, dependentTaskIds }) =>
      dependentTaskIds.map((id) => {
        const from = places.get(id);
        const to = places.get(taskId);
        if (from === undefined || to === undefined) return nothing;
        const middle = (from.x + to.x) / 2;
        return svg`<path class="edge" d="M${from.x + RADIUS} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${to.x - RADIUS} ${to.y}" />`;
      }),
    )}
    ${tasks.map((task) => {
      const place = places.get(task.taskId);
      if (place === undefined) return nothing;
      return svg`<g class=${stateOf(task, current)}>
        <circle cx=${place.x} cy=${place.y} r=${RADIUS} />
        <text x=${place.x} y=${place.y} dy="0.35em" text-anchor="middle">${task.taskId}</text>
      </g>`;
    })}
  </svg>`;
}
