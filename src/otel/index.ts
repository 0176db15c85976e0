/** OpenTelemetry spans of a session. Loads only `@opentelemetry/api`, which the application installs. */
import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { defined } from '../core/defined.js';
import type { AgentEvent } from '../core/events.js';

/** A session, as `connect` and `spawn` return it. */
interface TracedSession {
  readonly name: string;
  on(listener: (event: AgentEvent) => void): () => void;
}

interface TraceOptions {
  /** @default the tracer `rolezero` of the global provider */
  tracer?: Tracer;
  /**
   * Adds what users, models and tools wrote to the spans: requests, summaries, arguments and results of commands. They may contain
   * personal data and secrets.
   *
   * @default false
   */
  captureContent?: boolean;
}

/** The spans of one role that are open. */
interface RoleSpans {
  turn: Span;
  /** When the role ended its turn. Its last step is reported later, after the commit. */
  endedAt: number | null;
  step: Span | null;
  call: Span | null;
  commands: Map<string, Span>;
}

/**
 * Creates OpenTelemetry spans for a session, with the names of the GenAI semantic conventions: `invoke_workflow` for a run,
 * `invoke_agent <role>` for the turn of a role, `step`, `chat <model>` for a model call, `execute_tool <name>` for a command. Every span
 * has the name of the session as `gen_ai.conversation.id` or is below one that has it.
 *
 * @returns a function that stops tracing and ends the open spans
 * @example traceSession(session)
 */
export function traceSession(session: TracedSession, options: TraceOptions = {}): () => void {
  const { tracer = trace.getTracer('rolezero'), captureContent = false } = options;
  const spans = new SessionSpans(tracer, session.name, captureContent);
  const stop = session.on((event) => spans.take(event));
  return () => {
    stop();
    spans.endAll();
  };
}

class SessionSpans {
  readonly #tracer: Tracer;
  readonly #session: string;
  readonly #content: boolean;
  #run: Span | null = null;
  readonly #roles = new Map<string, RoleSpans>();

  constructor(tracer: Tracer, session: string, content: boolean) {
    this.#tracer = tracer;
    this.#session = session;
    this.#content = content;
  }

  take(event: AgentEvent): void {
    switch (event.type) {
      case 'run-start':
        this.endAll();
        this.#run = this.#start('invoke_workflow', null, runAttributes(event, this.#session, this.#content));
        break;
      case 'run-end':
        this.#endRun(event);
        break;
      case 'phase':
        this.#enter(
          event.role,
          event.phase === 'ended' || event.phase === 'failed' || event.phase === 'idle',
        );
        break;
      case 'call-start': {
        const open = this.#of(event.role);
        endAsFailed(open.call); // the call before was repeated
        const name = `chat ${event.model}`;
        open.call = this.#start(
          name,
          this.#step(open),
          callAttributes(event, this.#session),
          SpanKind.CLIENT,
        );
        break;
      }
      case 'usage': {
        const open = this.#roles.get(event.role);
        open?.call?.setAttributes(usageAttributes(event)).end();
        if (open !== undefined) open.call = null;
        break;
      }
      case 'command-start': {
        const open = this.#of(event.role);
        const started = this.#start(
          `execute_tool ${event.name}`,
          this.#step(open),
          commandAttributes(event, this.#content),
        );
        open.commands.set(event.callId, started);
        break;
      }
      case 'command-end': {
        const commands = this.#roles.get(event.role)?.commands;
        const span = commands?.get(event.callId);
        span?.setAttributes(commandEndAttributes(event, this.#content));
        if (!event.ok) span?.setStatus({ code: SpanStatusCode.ERROR });
        span?.end();
        commands?.delete(event.callId);
        break;
      }
      case 'step-end': {
        const open = this.#roles.get(event.role);
        open?.step?.setAttribute('rolezero.step.number', event.trace.step).end();
        if (open !== undefined) open.step = null;
        break;
      }
    }
  }

  /** Ends everything that is open. */
  endAll(): void {
    for (const open of this.#roles.values()) endRoleSpans(open);
    this.#roles.clear();
    this.#run?.end();
    this.#run = null;
  }

  #endRun(event: AgentEvent<'run-end'>): void {
    const { error } = event;
    this.#run?.setAttributes(runEndAttributes(event, this.#content));
    if (error !== null) this.#run?.setStatus({ code: SpanStatusCode.ERROR, message: error.code });
    this.endAll();
  }

  /** A role enters a phase. */
  #enter(role: string, isOver: boolean): void {
    const open = this.#roles.get(role);
    if (isOver) {
      if (open !== undefined) open.endedAt ??= Date.now();
      return;
    }
    if (open !== undefined && open.endedAt !== null) {
      endRoleSpans(open);
      this.#roles.delete(role);
    }
    this.#of(role);
  }

  #of(role: string): RoleSpans {
    const known = this.#roles.get(role);
    if (known !== undefined) return known;
    const turn = this.#start(`invoke_agent ${role}`, this.#run, turnAttributes(role, this.#session));
    const open: RoleSpans = { turn, endedAt: null, step: null, call: null, commands: new Map() };
    this.#roles.set(role, open);
    return open;
  }

  #step(open: RoleSpans): Span {
    open.step ??= this.#start('step', open.turn, {});
    return open.step;
  }

  #start(name: string, parent: Span | null, attributes: Attributes, kind = SpanKind.INTERNAL): Span {
    const within = parent === null ? context.active() : trace.setSpan(context.active(), parent);
    return this.#tracer.startSpan(name, { kind, attributes }, within);
  }
}

function endRoleSpans({ turn, endedAt, step, call, commands }: RoleSpans): void {
  for (const span of [...commands.values(), call]) endAsFailed(span);
  step?.end();
  turn.end(endedAt ?? undefined);
}

/** Ends a span without a result: the work was stopped, failed, or is repeated. */
function endAsFailed(span: Span | null): void {
  span?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', 'interrupted').end();
}

// Names of the GenAI semantic conventions, version 1.45. What they do not cover begins with `rolezero.`.
// Source: https://opentelemetry.io/docs/specs/semconv/gen-ai/

function runAttributes(
  { runId, request, resumed }: AgentEvent<'run-start'>,
  session: string,
  content: boolean,
): Attributes {
  return defined({
    'gen_ai.operation.name': 'invoke_workflow',
    'gen_ai.conversation.id': session,
    'rolezero.run.id': runId,
    'rolezero.run.resumed': resumed,
    'gen_ai.input.messages': content ? message('user', request) : undefined,
  });
}

function runEndAttributes({ status, summary, error }: AgentEvent<'run-end'>, content: boolean): Attributes {
  return defined({
    'rolezero.run.status': status,
    'error.type': error?.code,
    'gen_ai.output.messages': content && summary !== '' ? message('assistant', summary) : undefined,
  });
}

function turnAttributes(role: string, session: string): Attributes {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': role,
    'gen_ai.conversation.id': session,
  };
}

function callAttributes(
  { model, purpose, maxCompletionTokens }: AgentEvent<'call-start'>,
  session: string,
): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model,
    'gen_ai.request.max_tokens': maxCompletionTokens,
    'gen_ai.conversation.id': session,
    'rolezero.call.purpose': purpose,
  };
}

function usageAttributes(usage: AgentEvent<'usage'>): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage.promptTokens,
    'gen_ai.usage.output_tokens': usage.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedPromptTokens,
    'rolezero.call.cost_usd': usage.costUsd,
  };
}

function commandAttributes(
  { callId, name, args }: AgentEvent<'command-start'>,
  content: boolean,
): Attributes {
  return defined({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': callId,
    'gen_ai.tool.call.arguments': content ? JSON.stringify(args) : undefined,
  });
}

function commandEndAttributes({ ok, output }: AgentEvent<'command-end'>, content: boolean): Attributes {
  return defined({
    'error.type': ok ? undefined : 'tool_error',
    'gen_ai.tool.call.result': content ? output : undefined,
  });
}

function message(role: 'user' | 'assistant', content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}
