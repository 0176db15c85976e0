import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AgentEvent } from '../../../src/core/events.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { traceSession } from '../../../src/otel/index.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel, type Script } from '../../../src/testing/index.js';

type TraceOptions = NonNullable<Parameters<typeof traceSession>[1]>;

const END = ['end', {}] as const;
const say = (content: string) => ['RoleZero.reply_to_human', { content }] as const;

/** A session that is traced into memory. `session.on` of a page delivers the same events. */
async function traced(script: Script, options: TraceOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const listeners = new Set<(event: AgentEvent) => void>();
  const add = defineTool({
    name: 'Sum.add',
    description: 'Adds.',
    input: z.object({ a: z.number(), b: z.number() }),
    run: ({ a, b }) => {
      if (b < 0) throw new Error('Negative.');
      return String(a + b);
    },
  });
  const session = await Session.open({
    storage: memoryStorage(),
    name: 'sums',
    roles: [new RoleZero({ name: 'Zero', model: scriptedModel(script, { id: 'small' }), tools: [add] })],
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
    askUser: async () => '',
  });
  const stop = traceSession(
    {
      name: 'sums',
      on(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    { tracer: provider.getTracer('test'), ...options },
  );
  return { session, exporter, stop, listeners };
}

async function spansOf(script: Script, options?: TraceOptions): Promise<ReadableSpan[]> {
  const { session, exporter } = await traced(script, options);
  await (
    await session.send('Write the sum of 1 and 2 into /sum.txt')
  ).result;
  return exporter.getFinishedSpans();
}

/** The spans as a tree of names, in the order in which they began. */
function tree(spans: readonly ReadableSpan[], parent?: string): unknown[] {
  return spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
    .toSorted((one, other) => one.startTime[0] - other.startTime[0] || one.startTime[1] - other.startTime[1])
    .map((span) => {
      const children = tree(spans, span.spanContext().spanId);
      return children.length === 0 ? span.name : [span.name, children];
    });
}

const WORK: Script = {
  think: [
    commands(['Sum.add', { a: 1, b: 2 }]),
    commands(['Sum.add', { a: 1, b: -2 }]),
    commands(say('3'), END),
  ],
};

describe('the spans of a session', () => {
  it('are a tree of run, turn of a role, steps, model calls and commands', async () => {
    const spans = await spansOf(WORK);
    expect(tree(spans)).toEqual([
      [
        'invoke_workflow',
        [
          [
            'invoke_agent Zero',
            [
              ['step', ['chat small', 'execute_tool Sum.add']],
              ['step', ['chat small', 'execute_tool Sum.add']],
              ['step', ['chat small', 'execute_tool RoleZero.reply_to_human', 'execute_tool end']],
            ],
          ],
        ],
      ],
    ]);
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(spans.every(({ ended }) => ended)).toBe(true);
  });

  it('have the names of the GenAI conventions, and no content of users or models', async () => {
    const spans = await spansOf(WORK);
    const attributes = (name: string) => spans.find((span) => span.name === name)?.attributes;
    expect(attributes('invoke_workflow')).toMatchObject({
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.conversation.id': 'sums',
      'rolezero.run.status': 'done',
    });
    expect(attributes('invoke_agent Zero')).toMatchObject({ 'gen_ai.agent.name': 'Zero' });
    expect(attributes('chat small')).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'small',
      'gen_ai.usage.input_tokens': expect.any(Number) as number,
      'gen_ai.usage.output_tokens': expect.any(Number) as number,
      'rolezero.call.purpose': 'think',
    });
    expect(spans.find(({ name }) => name === 'chat small')?.kind).toBe(SpanKind.CLIENT);
    expect(attributes('execute_tool Sum.add')).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'Sum.add',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': expect.stringMatching(/./) as string,
    });
    const written = JSON.stringify(spans.map((span) => [span.attributes, span.events, span.status]));
    for (const content of ['sum.txt', '"b"', 'Negative', 'I will run'])
      expect(written).not.toContain(content);
  });

  it('contain the content on request', async () => {
    const spans = await spansOf(WORK, { captureContent: true });
    const attributes = (name: string) => spans.find((span) => span.name === name)?.attributes;
    expect(attributes('invoke_workflow')?.['gen_ai.input.messages']).toContain('the sum of 1 and 2');
    expect(attributes('invoke_workflow')?.['gen_ai.output.messages']).toBe(
      '[{"role":"assistant","parts":[{"type":"text","content":"3"}]}]',
    );
    expect(attributes('execute_tool Sum.add')).toMatchObject({
      'gen_ai.tool.call.arguments': '{"a":1,"b":2}',
      'gen_ai.tool.call.result': expect.stringContaining('3') as string,
    });
  });

  it('mark failed commands and failed runs', async () => {
    const spans = await spansOf(WORK);
    const failed = spans.filter(({ status }) => status.code === SpanStatusCode.ERROR);
    expect(failed.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['execute_tool Sum.add', 'tool_error'],
    ]);
    const run = (await spansOf({ think: [] })).filter(({ status }) => status.code === SpanStatusCode.ERROR);
    expect(run.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['chat small', 'interrupted'],
      ['invoke_workflow', 'internal'],
    ]);
  });

  it('end when tracing stops, and events after that make none', async () => {
    const { exporter, stop, listeners, session } = await traced(WORK);
    for (const listener of listeners)
      listener({ type: 'run-start', runId: 'r', request: 'Go on', resumed: false });
    stop();
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['invoke_workflow']);
    await (
      await session.send('Write the sum of 1 and 2 into /sum.txt')
    ).result;
    expect(exporter.getFinishedSpans()).toHaveLength(1);
  });
});
