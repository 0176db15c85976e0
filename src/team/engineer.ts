import * as s from '../core/schema.js';
import { RoleZeroError } from '../core/error.js';
import { builtInTool, type ToolContext } from '../core/tool.js';
import { resolvePath } from '../files/path.js';
import { checkReplacement } from '../tools/check-replacement.js';
import { planStatus } from '../plan/plan-status.js';
import { converse } from '../agent/runtime/converse.js';
import { fill, sections } from '../agent/prompt/template.js';
import { RoleZero } from '../agent/role-zero.js';
import type { RoleZeroOptions } from '../agent/runtime/role-zero-options.js';

const WRITE = 'Engineer.write_new_code';
const WRITE_ALIASES = ['Engineer2.write_new_code', 'write_new_code'];

const WRITE_CODE = `Now write the file {path}, complete and ready to run.
What it is for: {description}
Write nothing but its content, in one code fence. If the content itself holds a fence, use a longer one around it.`;

const ENGINEER_INSTRUCTION = `- Start with a plan of 1 to 3 tasks (Plan.append_task) unless the work is one small step. Work on the current task, and finish it with Plan.finish_current_task when the observations show that it is fulfilled.
- Read files before you change them. Use the paths you were given; open files instead of guessing.
- Write a new file with Engineer.write_new_code, one file a reply: say in file_description everything the file must do. Change a file that exists with the Editor.
- Keep it as small and simple as the task allows, and finish every file: no placeholders.
- If a command fails, read why and try another way. If you are stuck, use RoleZero.ask_human.
- When the work is done, say with RoleZero.reply_to_human what was made and where it is, then use end.`;

const WRITE_INPUT = s.inputSchema(
  s.object({ path: s.string(), file_description: s.withDefault(s.string(), '') }),
);

/** Writes software, like MetaGPT's Engineer2: sees its directory and open file in every step, and writes whole files in separate calls. */
export class Engineer extends RoleZero {
  static override readonly id: string = 'Engineer';

  constructor(options: RoleZeroOptions = {}) {
    super({
      ...options,
      name: options.name ?? 'Alex',
      profile: options.profile ?? 'Engineer',
      goal: options.goal ?? 'write software that does what was asked',
      preset: options.preset ?? 'full', // its instruction is about the full set
      instruction: options.instruction ?? ENGINEER_INSTRUCTION,
      maxSteps: options.maxSteps ?? 40,
    });
    this.registry.register(
      builtInTool({
        name: WRITE,
        hints: { neededFor: 'work' },
        description:
          'Write a new file, or rewrite a whole file: you are asked for its content next. For code of more than a few lines.',
        input: WRITE_INPUT,
        aliases: { file_path: 'path', filename: 'path', file_name: 'path', description: 'file_description' },
        exclusive: true,
        staged: true,
        timeoutMs: Infinity, // the limits of the model apply
        run: ({ path, file_description }, context) => this.#writeNewCode(path, file_description, context),
      }),
    );
    for (const name of WRITE_ALIASES) this.registry.alias(name, WRITE);
  }

  protected override currentState(): string {
    return [`Current directory: ${this.#directory}`, super.currentState()]
      .filter((part) => part !== '')
      .join('\n');
  }

  /** Makes the editor resolve relative paths from the directory of the terminal. */
  protected override beforeThinking(): void {
    const { tools } = this.agent.state;
    if (tools['Terminal'] !== undefined)
      tools['Editor'] = { ...tools['Editor'], working_dir: this.#directory };
  }

  /** Finishes the open tasks of the plan as well. */
  protected override end(): Promise<string> {
    this.plan.finishAllTasks();
    return super.end();
  }

  /** Directory of the terminal; `/` without one. */
  get #directory(): string {
    const directory = this.agent.state.tools['Terminal']?.['cwd'];
    return typeof directory === 'string' && directory !== '' ? directory : '/';
  }

  /** Writes a file from a reply of its own. The reply is stored first, and the file is committed with the result. */
  async #writeNewCode(path: string, description: string, { files, callId }: ToolContext): Promise<string> {
    const target = resolvePath(path, this.#directory);
    await checkReplacement(files, target);
    const request = fill(WRITE_CODE, {
      path: target,
      description: description === '' ? 'see the current task' : description,
    });
    const key = `write:${callId}`;
    const reply = await converse(this.agent, {
      purpose: 'other',
      key,
      request: () => sections(planStatus(this.plan).planStatus, request),
    });
    if (this.agent.turn().replies[key]?.limit) {
      throw new RoleZeroError(
        'tool-failed',
        `The content of ${target} was cut off at the length limit; nothing was written. Write it in parts: the first with Editor.write, the rest with Editor.append_file.`,
        { path: target },
      );
    }
    const code = firstCodeBlock(reply);
    await files.write(target, code);
    return sections(`${target} is written:`, code);
  }
}

/** Returns the content of the first code fence. Without a fence it is the whole text; without an end, everything after the fence. */
export function firstCodeBlock(text: string): string {
  const open = /^[ \t]*(`{3,}|~{3,})[^\n]*\n/m.exec(text);
  if (open === null) return `${text.trim()}\n`;
  const [line, fence = '```'] = open;
  const rest = text.slice(open.index + line.length);
  const close = new RegExp(`^[ \\t]*${fence}[${fence.charAt(0)}]*[ \\t]*$`, 'm').exec(rest);
  return close === null ? rest : rest.slice(0, close.index);
}
