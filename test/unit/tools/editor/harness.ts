import { RoleZeroError } from '../../../../src/core/error.js';
import type { JsonValue } from '../../../../src/core/json.js';
import { VirtualFiles } from '../../../../src/files/virtual-files.js';
import { editor } from '../../../../src/tools/index.js';
import type { EditorOptions } from '../../../../src/tools/editor/editor.js';
import { textsOf } from '../../files/texts-of.js';

/** An editor with a working copy, called as by a role: with aliases, schema, and a stage that is applied or dropped. */
export class EditorHarness {
  readonly files = new VirtualFiles({ now: () => 5 });
  state: Record<string, JsonValue> = {};
  readonly #tools;

  private constructor(options: EditorOptions) {
    this.#tools = new Map(editor(options).map((tool) => [tool.name, tool]));
  }

  static async over(
    files: Record<string, string | Uint8Array>,
    options: EditorOptions = {},
  ): Promise<EditorHarness> {
    const harness = new EditorHarness(options);
    for (const [path, content] of Object.entries(files)) await harness.files.write(path, content);
    return harness;
  }

  /** The output of a command; a failed one throws and changes nothing. */
  async run(command: string, args: Record<string, unknown> = {}): Promise<string> {
    const tool = this.#tools.get(`Editor.${command}`);
    if (tool === undefined) throw new Error(`no command Editor.${command}`);
    const named = Object.entries(args).map(([name, value]) => [tool.aliases?.[name] ?? name, value]);
    const input = tool.input.safeParse(Object.fromEntries(named));
    if (!input.success) {
      const issues = input.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      throw new RoleZeroError('tool-input', issues.join('; '));
    }
    const stage = this.files.stage();
    const state = structuredClone(this.state);
    const output = await tool.run(input.data, {
      signal: new AbortController().signal,
      files: stage,
      session: { name: 'test', role: 'Zero' },
      callId: 'call',
      state,
      output: () => undefined,
      pageChanged: () => undefined,
    });
    stage.apply();
    this.state = state;
    return output as string;
  }

  /** The error of a command, after checking that it changed neither files nor state. */
  async refusal(
    command: string,
    args: Record<string, unknown> = {},
  ): Promise<{ code: string; message: string }> {
    const before = JSON.stringify([textsOf(this.files), this.state]);
    try {
      await this.run(command, args);
    } catch (error) {
      if (!(error instanceof RoleZeroError)) throw error;
      if (JSON.stringify([textsOf(this.files), this.state]) !== before)
        throw new Error('changed something', { cause: error });
      return { code: error.code, message: error.message };
    }
    throw new Error(`Editor.${command} was not rejected`);
  }

  text(path: string): string | undefined {
    return textsOf(this.files)[path];
  }
}

/** `line 1` … `line n`, one per line. */
export function numberedLines(count: number): string {
  return Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('');
}

/** First and last line number in an output, and the lines that mention what is above and below. */
export function shownWindow(output: string): [above: string, first: number, last: number, below: string] {
  const lines = output.split('\n');
  const shown = lines.flatMap((line) => /^(\d{3,})\|/u.exec(line)?.[1] ?? []).map(Number);
  const markers = lines.filter((line) => line.startsWith('('));
  return [markers[0] ?? '', shown[0] ?? 0, shown.at(-1) ?? 0, markers[1] ?? ''];
}
