import { checkModel } from '../core/check-model.js';
import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { SessionFiles } from '../core/files.js';
import type { Command, Question } from '../core/human.js';
import { isRecord, type JsonValue } from '../core/json.js';
import type { ChatChunk, ChatModel } from '../core/model.js';
import { OUTPUT_CHECK } from '../core/output.js';
import type { Outputs } from '../core/outputs.js';
import { APPROVAL_TEXT, type PageTool } from '../core/page-tool.js';
import type { PageModelCall, PageApi, ModelDescriptor } from '../wire/protocol.js';
import { settle, type Result } from '../wire/results.js';

/** Callbacks that ask the user. */
export interface UserCallbacks {
  /** Returns the user's answer to a question. Null leaves it open: the run ends as `waiting`, and `session.answer` continues it. */
  askHuman?: (question: Question) => string | null | Promise<string | null>;
  /**
   * Returns whether the user allows a command that needs an approval; see `ApprovalAnswer`. Null leaves it open. Without this callback such
   * commands wait: the run ends as `waiting`, and its summary says for which approval. `session.answer` continues it.
   */
  approve?: (command: Command, question: Question) => ApprovalAnswer | null | Promise<ApprovalAnswer | null>;
}

/**
 * The answer to an approval request: true, or how long the yes holds (`once`, `run` or `session`, at most as long as `question.choices`
 * offers); other arguments with which the command may run once; false, or a reason that the model reads.
 */
type ApprovalAnswer =
  boolean | 'once' | 'run' | 'session' | { args: Record<string, JsonValue> } | { deny: string };

interface PageOptions extends UserCallbacks {
  tools?: readonly PageTool[];
  models?: Readonly<Record<string, ChatModel>>;
}

/** Returns an answer as `session.answer` takes it. */
function approvalText(answer: ApprovalAnswer): string {
  if (typeof answer === 'string') return answer;
  if (typeof answer === 'boolean') return answer ? 'yes' : 'no';
  return 'args' in answer ? `edited ${JSON.stringify(answer.args)}` : `no: ${answer.deny}`;
}

/** The page side of the wire: user callbacks, page tools and page models. Calls never reject; an error is part of their result. */
export class Page implements PageApi {
  readonly #tools: Map<string, PageTool>;
  readonly #calls = new Map<string, AbortController>();
  readonly #models: PageModels;

  readonly #options: PageOptions;
  readonly #session: string;
  readonly #files: SessionFiles;
  readonly #outputs: Outputs;

  constructor(options: PageOptions, session: string, files: SessionFiles, outputs: Outputs) {
    const { tools = [], models = {} } = options;
    this.#tools = new Map(tools.map((tool) => [tool.descriptor.name, tool]));
    this.#models = new PageModels(models);
    this.#options = options;
    this.#session = session;
    this.#files = files;
    this.#outputs = outputs;
  }

  callTool(callId: string, name: string, input: unknown): Promise<Result<unknown>> {
    if (name === OUTPUT_CHECK) return settle(() => this.#checkOutput(input));
    if (name === APPROVAL_TEXT) return settle(() => this.#approvalText(input));
    const controller = new AbortController();
    this.#calls.set(callId, controller);
    return settle(async () => {
      try {
        const tool = this.#tools.get(name);
        if (tool === undefined)
          throw new RoleZeroError('not-found', `The page has no tool ${name}.`, { name });
        return await tool.call(input, {
          signal: controller.signal,
          callId,
          session: { name: this.#session },
          files: this.#files,
        });
      } finally {
        this.#calls.delete(callId);
      }
    });
  }

  #approvalText(input: unknown): string | Promise<string> | undefined {
    const { name, args } = isRecord(input) ? input : {};
    return this.#tools.get(String(name))?.approval?.(args);
  }

  #checkOutput(input: unknown): string[] {
    if (!isRecord(input) || typeof input['id'] !== 'string') return [];
    return this.#outputs.issues(input['id'], input['value']);
  }

  cancelTool(callId: string): void {
    this.#calls.get(callId)?.abort();
  }

  beginChat(callId: string, model: string, call: PageModelCall): Promise<Result<void>> {
    return settle(() => this.#models.begin(callId, model, call));
  }

  nextChunk(callId: string): Promise<Result<ChatChunk | null>> {
    return settle(() => this.#models.next(callId));
  }

  endChat(callId: string): void {
    this.#models.end(callId);
  }

  countTokens(model: string, text: string): Promise<Result<number>> {
    return settle(() => this.#models.countTokens(model, text));
  }

  ask(question: Question): Promise<Result<string | null>> {
    return settle(async () => {
      if (question.kind === 'question') return (await this.#options.askHuman?.(question)) ?? null;
      const command = question.command ?? { name: '', args: {} };
      const allowed = (await this.#options.approve?.(command, question)) ?? null;
      return allowed === null ? null : approvalText(allowed);
    });
  }

  /** Aborts everything that waits for the page; called when the worker is gone. */
  cancelAll(): void {
    for (const controller of this.#calls.values()) controller.abort();
    this.#models.endAll();
  }
}

/** The models of the page, with the calls that the worker makes to them. */
export class PageModels {
  readonly #chats = new Map<string, { chunks: AsyncIterator<ChatChunk>; stop: AbortController }>();

  readonly #models: Readonly<Record<string, ChatModel>>;

  constructor(models: Readonly<Record<string, ChatModel>>) {
    this.#models = models;
  }

  begin(callId: string, name: string, call: PageModelCall): void {
    const stop = new AbortController();
    const chunks = this.#model(name)
      .chat({ ...call, signal: stop.signal })
      [Symbol.asyncIterator]();
    this.#chats.set(callId, { chunks, stop });
  }

  /** Returns the next chunk; null after the last one, and when the call was ended. */
  async next(callId: string): Promise<ChatChunk | null> {
    const chat = this.#chats.get(callId);
    if (chat === undefined) return null;
    const next = await chat.chunks.next();
    return next.done === true ? null : next.value;
  }

  end(callId: string): void {
    const chat = this.#chats.get(callId);
    this.#chats.delete(callId);
    chat?.stop.abort();
    chat?.chunks.return?.().catch(() => undefined); // the caller is gone, so no one can receive the error
  }

  endAll(): void {
    for (const callId of this.#chats.keys()) this.end(callId);
  }

  async countTokens(name: string, text: string): Promise<number> {
    return (await this.#model(name).countTokens?.(text)) ?? 0;
  }

  #model(name: string): ChatModel {
    const model = Object.hasOwn(this.#models, name) ? this.#models[name] : undefined;
    if (model === undefined) throw new RoleZeroError('not-found', `The page has no model ${name}.`, { name });
    return model;
  }
}

/** Returns what the worker needs to know about models before it calls them. */
export function describeModels(models: Readonly<Record<string, ChatModel>>): Record<string, ModelDescriptor> {
  return Object.fromEntries(
    Object.entries(models).map(([name, model]) => {
      checkModel(model, `models.${name}`);
      const { id, contextWindow, maxOutputTokens, parameters, supports, price } = model;
      const descriptor: ModelDescriptor = {
        id,
        contextWindow,
        ...defined({
          maxOutputTokens,
          parameters,
          supports: supports && { ...supports },
          price: price && { ...price },
        }),
        countsTokens: model.countTokens !== undefined,
      };
      return [name, descriptor];
    }),
  );
}
