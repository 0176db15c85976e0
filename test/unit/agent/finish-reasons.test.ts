import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { ChatModel } from '../../../src/core/model.js';
import { openai } from '../../../src/providers/openai/index.js';
import { commands, runRole } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { startFaultServer, type FaultServer } from '../../fault-server/fault-server.js';
import {
  done,
  drop,
  event,
  finish,
  send,
  streaming,
  text,
  type Reply,
  type Step,
} from '../../fault-server/replies.js';

let server: FaultServer;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

const OLD = '<p>Old, and worth something.</p>\n';
const NEW = '<p>New, in</p>\n<p>several</p>\n<p>lines.</p>\n';
const WRITING = `I replace it. ${commands(['Editor.write', { path: '/index.html', content: NEW }])}`;

/** Runs a request to replace a file. Each reply of the model is the given one. */
async function replaceFile(reply: Reply) {
  server.script([reply], 'repeat');
  const model = openai({
    baseURL: server.url,
    model: 'test',
    contextWindow: 16_384,
    retries: 0,
    random: () => 0,
  });
  const role = new RoleZero({ model, tools: editor(), maxSteps: 2, language: 'English' });
  return runRole(role, 'Create the file /index.html again.', { files: { '/index.html': OLD } });
}

/** The ends of a stream that do not prove a whole reply. */
const ENDS: [string, Step[]][] = [
  ...[
    'length',
    'MAX_TOKENS',
    'model_length',
    'error',
    'abort',
    'insufficient_system_resource',
    'network_error',
  ].map((word): [string, Step[]] => [word, [finish(word), done]]),
  ...['content_filter', 'SAFETY', 'gave_up'].map((word): [string, Step[]] => [word, [finish(word), done]]),
  ['[DONE] alone', [done]],
  ['the end of the body', []],
  ['a drop', [drop]],
  ['an error event', [send('event: error\ndata: lost\n\n'), done]],
  ['a detail', [event({ detail: 'Internal Server Error' }), done]],
];

describe('a reply that is cut off', () => {
  it.each(ENDS)(
    'never writes a part of a file, wherever it is cut, and ends with %s',
    async (_end, steps) => {
      const start = WRITING.indexOf('content');
      for (const at of [
        start,
        start + 12,
        WRITING.indexOf('several'),
        WRITING.indexOf('lines'),
        WRITING.lastIndexOf('"'),
      ]) {
        const { files } = await replaceFile([streaming, text(WRITING.slice(0, at)), ...steps]);
        expect([OLD, NEW]).toContain(files['/index.html']);
      }
    },
  );

  it('is requested again when the server reports a failure, which the user reads in the end', async () => {
    const { events, outcome } = await replaceFile([streaming, text('I repl'), finish('network_error'), done]);
    expect(outcome.status).toBe('failed');
    const failures = events.filter(({ type }) => type === 'warning' || type === 'run-end');
    expect(JSON.stringify(failures)).toContain('network_error');
    expect(failures.length).toBeGreaterThanOrEqual(2);
  });

  it('is not requested again when a content filter stopped it, and the user reads why', async () => {
    (server.requests as unknown[]).length = 0;
    const { events } = await replaceFile([
      streaming,
      text('I cannot do that.'),
      finish('content_filter'),
      done,
    ]);
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(events)).toContain(
      'A content filter stopped the reply of 127.0.0.1:' +
        new URL(server.url).port +
        '/test. The same request',
    );
    expect(JSON.stringify(events)).toContain('The reply began: I cannot do that.');
  });

  it('is not used when its model gives it no end', async () => {
    let calls = 0;
    const model: ChatModel = {
      id: 'endless',
      contextWindow: 16_384,
      async *chat() {
        calls++;
        yield { type: 'text-delta', text: WRITING };
      },
    };
    const role = new RoleZero({ model, tools: editor() });
    const { files, outcome } = await runRole(role, 'Create the file /index.html again.');
    expect({ calls, files, status: outcome.status }).toEqual({ calls: 3, files: {}, status: 'failed' });
  });
});

it('uses a whole list of commands whose server gives no reason for the end', async () => {
  const { files } = await replaceFile([streaming, text(WRITING), done]);
  expect(files['/index.html']).toBe(NEW);
});
