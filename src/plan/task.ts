import type { TaskData } from '../base/events.js';

/** Models write ids as numbers as often as strings; both are accepted and kept as strings. */
export type TaskId = string | number;

/** What a task starts from; everything left out is empty or false. */
export interface TaskInit extends Partial<Omit<TaskData, 'taskId' | 'dependentTaskIds'>> {
  taskId?: TaskId;
  dependentTaskIds?: readonly TaskId[];
}

/** What working on a task came to. */
export interface TaskResult {
  code?: string;
  result: string;
  isSuccess: boolean;
}

/**
 * One step of a plan (spec 9.1). Id and dependencies are fixed for life, since the order of a plan rests on them: a task that must
 * depend on something else is replaced. A dependency named twice counts once.
 */
export class Task {
  readonly taskId: string;
  readonly dependentTaskIds: readonly string[];
  instruction: string;
  /** The name of a task type, or empty. */
  taskType: string;
  code: string;
  result: string;
  isSuccess: boolean;
  isFinished: boolean;
  /** The role that is to do it. */
  assignee: string;

  constructor(init: TaskInit = {}) {
    this.taskId = String(init.taskId ?? '');
    this.dependentTaskIds = [...new Set((init.dependentTaskIds ?? []).map(String))];
    this.instruction = init.instruction ?? '';
    this.taskType = init.taskType ?? '';
    this.code = init.code ?? '';
    this.result = init.result ?? '';
    this.isSuccess = init.isSuccess ?? false;
    this.isFinished = init.isFinished ?? false;
    this.assignee = init.assignee ?? '';
  }

  /** Forgets code, result and progress; what is to be done stays. */
  reset(): void {
    this.code = '';
    this.result = '';
    this.isSuccess = false;
    this.isFinished = false;
  }

  /** Adds code and result, each on a new line, to what is there already; success is that of the last update. */
  updateTaskResult({ code = '', result, isSuccess }: TaskResult): void {
    this.code += `\n${code}`;
    this.result += `\n${result}`;
    this.isSuccess = isSuccess;
  }

  toData(): TaskData {
    return {
      taskId: this.taskId,
      dependentTaskIds: [...this.dependentTaskIds],
      instruction: this.instruction,
      taskType: this.taskType,
      assignee: this.assignee,
      isFinished: this.isFinished,
      code: this.code,
      result: this.result,
      isSuccess: this.isSuccess,
    };
  }

  static fromData(data: TaskData): Task {
    return new Task(data);
  }
}
