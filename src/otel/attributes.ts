import type { Attributes } from '@opentelemetry/api';
import { defined } from '../core/defined.js';
import type { AgentEvent } from '../core/events.js';

// Names of the GenAI semantic conventions, version 1.45. What they do not cover begins with `rolezero.`.
// Source: https://opentelemetry.io/docs/specs/semconv/gen-ai/

export function ofRun(
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

export function ofRunEnd({ status, summary, error }: AgentEvent<'run-end'>, content: boolean): Attributes {
  return defined({
    'rolezero.run.status': status,
    'error.type': error?.code,
    'gen_ai.output.messages': content && summary !== '' ? message('assistant', summary) : undefined,
  });
}

export function ofTurn(role: string, session: string): Attributes {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': role,
    'gen_ai.conversation.id': session,
  };
}

export function ofCall(
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

export function ofUsage(usage: AgentEvent<'usage'>): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage.promptTokens,
    'gen_ai.usage.output_tokens': usage.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedPromptTokens,
    'rolezero.call.cost_usd': usage.costUsd,
  };
}

export function ofCommand({ callId, name, args }: AgentEvent<'command-start'>, content: boolean): Attributes {
  return defined({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': callId,
    'gen_ai.tool.call.arguments': content ? JSON.stringify(args) : undefined,
  });
}

export function ofCommandEnd({ ok, output }: AgentEvent<'command-end'>, content: boolean): Attributes {
  return defined({
    'error.type': ok ? undefined : 'tool_error',
    'gen_ai.tool.call.result': content ? output : undefined,
  });
}

function message(role: 'user' | 'assistant', content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}
