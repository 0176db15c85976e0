import { describeValue } from '../core/describe-value.js';
import { isAbort, RoleZeroError, toRoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import type { ProgramResult, Runtime } from '../core/program.js';
import * as s from '../core/schema.js';
import { builtInTool, type ToolContext } from '../core/tool.js';
import { firstCodeBlock } from '../team/engineer.js';
import { fill, sections } from '../agent/prompt/template.js';
import { RoleZero } from '../agent/role-zero.js';
import { converse } from '../agent/runtime/converse.js';
import type { RoleZeroOptions } from '../agent/runtime/role-zero-options.js';
import type { Plan } from '../plan/plan.js';
import type { Task } from '../plan/task.js';
import { checkReplacement } from '../tools/check-replacement.js';
import { clip } from '../tools/terminal/clip.js';
import { taskType, taskTypeNames } from './task-types.js';
import { workStatus } from './work-status.js';

export interface DataAnalystOptions extends RoleZeroOptions {
  /** Runs its programs: `python({ address })` of `rolezero/runtimes/python`, or `javascript()` of `rolezero/runtimes/javascript`. */
  runtime: Runtime;
  /**
   * Time limit of a program in ms.
   *
   * @default 60_000
   */
  programTimeoutMs?: number;
}

const ANALYZE = 'DataAnalyst.write_and_exec_code';
/** Programs that a command writes until one succeeds. */
const MAX_ATTEMPTS = 3;
/** Maximum characters of the output of a program that the model reads. */
const MAX_OUTPUT = 12_000;
/** Folder of the programs. */
const PROGRAM_FOLDER = '/analysis';

const NO_TASK = 'There is no current task. Add one with Plan.append_task first, then use this command again.';

const ANALYST_INSTRUCTION = `- Start with a plan of 1 to 5 small tasks (Plan.append_task), each with its task_type: look at the data, compute, draw, and check.
- For a task that needs a program, use ${ANALYZE}, one a reply. Programs share nothing but files.
- Check each result before Plan.finish_current_task: do the figures fit the task, the number of rows, and each other? If not, run a corrected program.
- Use only files that are there. Never make up data or results.
- When the work is done, say the findings and the paths of the files with RoleZero.reply_to_human, then use end.`;

const WRITE_PROGRAM = `Now write a program in {language} for the current task.
What it must do: {instruction}
- It starts from nothing in the directory /: variables and imports of earlier programs are gone, the files that they wrote are there.
- Print what answers the task, in few lines. Write results that later tasks need to files.
- Let an error end the program, so that it is seen.
Reply with one code fence that contains the whole program.`;

const REFLECT = `The program failed. Its output:
{output}

Say in one or two sentences what was wrong, then give the whole corrected program in one code fence.`;

/** The commands that run a file, with the end of its name, in order of preference. */
const PROGRAM_KINDS = [
  { command: 'python', ending: 'py' },
  { command: 'node', ending: 'mjs' },
] as const;

/**
 * Analyzes data with programs, like MetaGPT's DataAnalyst: makes a plan of tasks, and for each writes a program, runs it, and checks the
 * result. A program that fails is corrected, at most twice.
 *
 * @example new DataAnalyst({ model, tools: editor(), runtime: python({ address: '/vendor/pyodide/' }) })
 * @throws RoleZeroError `invalid` when the runtime runs neither Python nor JavaScript.
 */
export class DataAnalyst extends RoleZero {
  static override readonly id: string = 'DataAnalyst';
  readonly #runtime: Runtime;
  readonly #program: (typeof PROGRAM_KINDS)[number];
  readonly #timeoutMs: number;

  constructor({ runtime, programTimeoutMs = 60_000, ...options }: DataAnalystOptions) {
    super({
      ...options,
      name: options.name ?? 'David',
      profile: options.profile ?? 'DataAnalyst',
      goal: options.goal ?? 'answer questions about data with programs that are run and checked',
      preset: options.preset ?? 'full', // its instruction is about plans
      instruction: options.instruction ?? ANALYST_INSTRUCTION,
      taskTypes: options.taskTypes ?? describeTypes(),
      maxSteps: options.maxSteps ?? 40,
    });
    this.#runtime = runtime;
    this.#program = programOf(runtime);
    this.#timeoutMs = programTimeoutMs;
    this.registry.register(
      builtInTool({
        name: ANALYZE,
        activity: { verb: 'Analyzing data' },
        description: `Write a program in ${runtime.name} for the current task and run it: you are asked for the code next.`,
        input: s.inputSchema(s.object({ instruction: s.withDefault(s.string(), '') })),
        exclusive: true,
        staged: true,
        timeoutMs: Infinity, // the limits of the model and of each program apply
        run: ({ instruction }, context) => this.#writeAndExecCode(instruction, context),
      }),
    );
    this.registry.alias('write_and_exec_code', ANALYZE);
  }

  /** Finishes the open tasks of the plan as well. */
  protected override async end(): Promise<string> {
    const isOpen = !this.plan.isPlanFinished();
    if (isOpen) this.plan.finishAllTasks();
    const end = await super.end();
    return isOpen ? sections('All tasks are finished.', end) : end;
  }

  async #writeAndExecCode(instruction: string, context: ToolContext): Promise<string> {
    const { plan } = this;
    const task = plan.currentTask;
    if (task === null) return NO_TASK;
    const path = `${PROGRAM_FOLDER}/task-${task.taskId.replace(/[^\w-]+/gu, '-')}.${this.#program.ending}`;
    await checkReplacement(context.files, path);
    let request = this.#firstRequest(plan, task, instruction);
    let report = '';
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const code = await this.#write(request, `code:${context.callId}:${attempt}`);
      await context.files.write(path, code);
      const { output, isSuccess } = await this.#run(path, context);
      report = reportOf(path, code, output, isSuccess);
      if (isSuccess) {
        Object.assign(task, { code, result: output, isSuccess }); // not added: the command may run again before it is stored
        return report;
      }
      request = fill(REFLECT, { output });
    }
    throw new RoleZeroError(
      'tool-failed',
      `${MAX_ATTEMPTS} programs failed, and their changes were discarded. The last one:\n${report}`,
      {
        path,
      },
    );
  }

  #firstRequest(plan: Plan, task: Task, instruction: string): string {
    const what = instruction === '' ? task.instruction : instruction;
    return sections(
      workStatus(plan),
      fill(WRITE_PROGRAM, { language: this.#runtime.name, instruction: what }),
    );
  }

  /** Returns the program of a reply of its own. The reply is stored first. */
  async #write(request: string, key: string): Promise<string> {
    const reply = await converse(this.agent, { purpose: 'other', key, request: () => request });
    if (this.agent.turn().replies[key]?.limit)
      throw new RoleZeroError(
        'tool-failed',
        'The program was cut off at the length limit; nothing was run. Split the task into smaller ones.',
      );
    return firstCodeBlock(reply);
  }

  async #run(path: string, { files, signal }: ToolContext): Promise<{ output: string; isSuccess: boolean }> {
    const program = {
      command: this.#program.command,
      args: [path],
      stdin: new Uint8Array(),
      cwd: '/',
      env: {},
    };
    const limit = AbortSignal.timeout(this.#timeoutMs);
    try {
      const result = await this.#runtime.run(program, {
        files,
        network: null,
        isOffline: false,
        timeoutMs: this.#timeoutMs,
        signal: AbortSignal.any([signal, limit]),
        exec: () => Promise.reject(new RoleZeroError('invalid', 'There is no shell here.')),
      });
      return { output: clip(printed(result), MAX_OUTPUT, 'Print less.'), isSuccess: result.exitCode === 0 };
    } catch (error) {
      signal.throwIfAborted();
      const isLate = limit.aborted || toRoleZeroError(error).code === 'tool-timeout';
      if (!isLate && isAbort(error)) throw error;
      const output = isLate
        ? `It was stopped after ${this.#timeoutMs / 1000} seconds.`
        : toRoleZeroError(error).message;
      return { output, isSuccess: false };
    }
  }
}

function programOf(runtime: unknown): (typeof PROGRAM_KINDS)[number] {
  const names =
    isRecord(runtime) && Array.isArray(runtime['commands']) ? (runtime['commands'] as unknown[]) : [];
  const program = PROGRAM_KINDS.find(({ command }) => names.includes(command));
  if (program !== undefined) return program;
  throw new RoleZeroError(
    'invalid',
    `\`runtime\` of DataAnalyst must run Python or JavaScript, such as python() from 'rolezero/runtimes/python', but is ${describeValue(runtime)}.`,
  );
}

function describeTypes(): string {
  return taskTypeNames.map((name) => `- ${name}: ${taskType(name)?.description ?? ''}`).join('\n');
}

function printed({ stdout, stderr }: ProgramResult): string {
  const text = typeof stdout === 'string' ? stdout : new TextDecoder().decode(stdout);
  return [text, stderr]
    .map((part) => part.trimEnd())
    .filter((part) => part !== '')
    .join('\n');
}

function reportOf(path: string, code: string, output: string, isSuccess: boolean): string {
  return sections(
    `Code written to ${path}:\n${code.trimEnd()}`,
    `Execution status: ${isSuccess ? 'Success' : 'Failed'}.`,
    `Execution result:\n${output === '' ? '(It printed nothing.)' : output}`,
  );
}
