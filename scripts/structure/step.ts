/** What one step of an agent runs: measured in a session in memory, in the second request, when everything is warm. */
import { Session as Inspector } from 'node:inspector';
import { RoleZero } from '../../src/agent/role-zero.js';
import { defineTool } from '../../src/core/define-tool.js';
import { Session } from '../../src/session/session.js';
import { memoryStorage } from '../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../src/testing/index.js';
import { editor } from '../../src/tools/index.js';
import * as z from 'zod';

export interface StepFigures {
  /** Modules of `src/` of which a function was called. */
  files: number;
  /** Calls of functions of these modules. */
  calls: number;
  /** Calls on the stack of a command, from the loop to its `run`. */
  frames: number;
  /** The functions that were called, most often first. */
  functions: readonly CalledFunction[];
}

interface CalledFunction {
  name: string;
  /** Path of its module below `src/`. */
  module: string;
  calls: number;
}

const write = (content: string): string => commands(['Editor.write', { path: '/a.txt', content }]);
const probe = commands(['Probe.run', {}]);
const end = commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]);
/** Replies to two requests. In the second one, the step with the second reply is measured. */
const REPLIES = ['1', '2'].map((request) => [write(`${request}a`), write(`${request}b`), probe, end]);

/** Measures a step that writes a file: from the call of the model to the next one. */
export async function measureStep(): Promise<StepFigures> {
  const figures: StepFigures = { files: 0, calls: 0, frames: 0, functions: [] };
  const inspector = new Inspector();
  inspector.connect();
  start(inspector); // before the session: V8 does not count all closures that have run already
  const model = scriptedModel({ think: REPLIES.flat() });
  const measured = (REPLIES[0]?.length ?? 0) + 2;
  let thoughts = 0;
  const chat = model.chat.bind(model);
  model.chat = (request) => {
    if (request.purpose === 'think') {
      thoughts += 1;
      if (thoughts === measured) inspector.post('Profiler.takePreciseCoverage'); // counts from 0 again
      if (thoughts === measured + 1) Object.assign(figures, stop(inspector));
    }
    return chat(request);
  };
  const session = await Session.open({
    storage: memoryStorage(),
    name: 'structure',
    roles: [
      new RoleZero({
        model,
        tools: [editor(), probeTool((frames) => (figures.frames = frames))],
        language: 'English',
        summarize: false,
      }),
    ],
    emit: () => {},
    askUser: null,
  });
  for (const request of ['Write a file.', 'Write it again.']) {
    const { status, error } = await (await session.send(request)).result;
    if (status !== 'done') throw new Error(`The measured run ended as ${status}: ${error?.message}`);
  }
  await session.close();
  inspector.disconnect();
  return figures;
}

/** A command that counts the calls on its stack, also those that wait for it. */
function probeTool(report: (frames: number) => void) {
  return defineTool({
    name: 'Probe.run',
    description: 'Counts calls.',
    input: z.object({}),
    run() {
      const before = Error.stackTraceLimit;
      Error.stackTraceLimit = 1_000;
      const { stack = '' } = new Error('probe');
      Error.stackTraceLimit = before;
      report(stack.split('\n').filter((line) => line.includes('/src/')).length);
      return 'counted';
    },
  });
}

function sourceOf(inspector: Inspector, scriptId: string): string {
  let source = '';
  inspector.post(
    'Debugger.getScriptSource',
    { scriptId },
    (_error, { scriptSource }) => (source = scriptSource),
  );
  return source;
}

/** Returns whether a function is one that the loader of these programs adds: it runs where a module uses an import. */
function isAccessor(source: string): boolean {
  return /^\(\) ?=> ?\{? ?(?:try ?\{ ?)?return [\w$.]+;?/.test(source) && source.length < 100;
}

function start(inspector: Inspector): void {
  inspector.post('Debugger.enable');
  inspector.post('Profiler.enable');
  inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
}

function stop(inspector: Inspector): Omit<StepFigures, 'frames'> {
  const functions: CalledFunction[] = [];
  inspector.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error;
    for (const { url, scriptId, functions: measured } of result) {
      const [, module] = url.split('/src/');
      if (module === undefined) continue;
      const source = sourceOf(inspector, scriptId);
      for (const { functionName: name, ranges } of measured) {
        const { count = 0, startOffset, endOffset } = ranges[0] ?? {};
        if (!isAccessor(source.slice(startOffset, endOffset))) functions.push({ name, module, calls: count });
      }
    }
  });
  inspector.post('Profiler.stopPreciseCoverage');
  const called = functions.filter(({ calls }) => calls > 0);
  return {
    files: new Set(called.map(({ module }) => module)).size,
    calls: called.reduce((sum, { calls }) => sum + calls, 0),
    functions: called.toSorted((one, other) => other.calls - one.calls),
  };
}
