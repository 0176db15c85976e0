import type { TaskData } from '../core/events.js';

/** Task id. Models write ids as numbers or strings; both are accepted and stored as strings. */
export type TaskId = string | number;

/** Initial fields of a task. Missing fields are empty or false. */
export interface TaskInit extends Partial<Omit<TaskData, 'taskId' | 'dependentTaskIds'>> {
  taskId?: TaskId;
  dependentTaskIds?: readonly TaskId[];
}

/** Result of working on a task. */
export interface TaskResult {
  code?: string;
  result: string;
  isSuccess: boolean;
}

/**
 * One task of a plan. Id and dependencies cannot change, because the order of the plan depends on them; replace the task instead. Duplicate
 * dependencies count once.
 */
export class Task {
  readonly taskId: string;
  readonly dependentTaskIds: readonly string[];
  instruction: string;
  /** Name of a task type, or empty. */
  taskType: string;
  code: string;
  result: string;
  isSuccess: boolean;
  isFinished: boolean;
  /** Role that works on the task. */
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

  /** Clears code, result, and progress. The instruction remains. */
  reset(): void {
    this.code = '';
    this.result = '';
    this.isSuccess = false;
    this.isFinished = false;
  }

  /** Appends code and result, each on a new line. `isSuccess` is that of the last update. */
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
