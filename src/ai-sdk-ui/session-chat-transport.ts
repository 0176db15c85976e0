import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { defined } from '../core/defined.js';
import { toRoleZeroError } from '../core/error.js';
import type { SendOptions } from '../core/message.js';
import type { Run } from '../client/run.js';
import type { ClientSession } from '../client/session.js';
import { closed, EventChunks } from './event-chunks.js';
import { addState, storedChat, isRequest, queuedMessages, responseId } from './history.js';
import { openCallsOf, isToolPart, type ToolPart } from './tool-calls.js';
import type { SessionChunk, SessionUIMessage } from './ui-message.js';
import { answerIn, answerWithFiles, requestIn } from './user-input.js';

/** A session, or a function that opens it by the id of the chat. It is called for each request: return the same session each time. */
type SessionSource = ClientSession | ((chatId: string) => ClientSession | Promise<ClientSession>);

type SendMessagesOptions<Message extends UIMessage> = Parameters<ChatTransport<Message>['sendMessages']>[0];
type ReconnectOptions<Message extends UIMessage> = Parameters<ChatTransport<Message>['reconnectToStream']>[0];

/**
 * Connects `useChat` of `@ai-sdk/react`, and `Chat` of `@ai-sdk/vue` and `@ai-sdk/svelte`, to a session. The session stores the
 * conversation: only the newest message is sent to it.
 *
 * Replies to the user are `text`, thoughts `reasoning`, commands `dynamic-tool` parts; plan, files and pages are data parts, see
 * `SessionUIMessage`. `addToolApprovalResponse` answers an approval request. `addToolOutput` for `RoleZero.ask_human` answers a question, and
 * so does the next message of the user. Both need `sendAutomaticallyWhen` with the function of AI SDK for approvals, and that for tool calls.
 * Files of a message are attached to the request, see `SendOptions`. `stop` stops the run. `regenerate`, and a message with the id of an
 * earlier one, go back to the state before that request, see `Session.rewind`. `resume: true` continues work that a reload interrupted.
 *
 * @example
 * const chat = useChat({ transport: new SessionChatTransport(session), messages: await uiMessages(session), resume: true });
 */
export class SessionChatTransport<
  Message extends UIMessage = SessionUIMessage,
> implements ChatTransport<Message> {
  /** A stream after a reconnection contains the response from its beginning. */
  readonly resumeStreamIsReplay = true;
  readonly #source: SessionSource;

  readonly #options: Pick<SendOptions, 'trusted'>;

  /** @param options `trusted`: the application vouches for the files of messages; see `SendOptions`. Default false. */
  constructor(session: SessionSource, options: { trusted?: boolean } = {}) {
    this.#source = session;
    this.#options = options;
  }

  /** Sends the message of the user, or the answer that the last response contains. The stream ends with the run. */
  async sendMessages({
    chatId,
    messages,
    trigger,
    messageId,
    abortSignal,
  }: SendMessagesOptions<Message>): Promise<ReadableStream<UIMessageChunk>> {
    const session = await this.#session(chatId);
    const last = messages.at(-1) as SessionUIMessage | undefined;
    if (last === undefined) return closedStream();
    if (last.role === 'assistant' && trigger === 'submit-message')
      return sendAnswer(session, last, abortSignal);
    const request = messages.findLast(({ role }) => role === 'user') as SessionUIMessage | undefined;
    if (request === undefined) return closedStream();
    const { text, files } = requestIn(request);
    const { id } = request;
    const isAgain = trigger === 'regenerate-message';
    if (session.queued.some(({ messageId: queued }) => queued === id)) {
      if (!isAgain) await session.revise(id, text);
      return streamed(session, () => continued(session), { abortSignal, request: id });
    }
    if ((isAgain || messageId !== undefined) && (await hasRequest(session, id))) {
      await stopRun(session);
      if (isAgain) return streamed(session, () => session.regenerate(id), { abortSignal, request: id });
      await session.rewind(id);
    }
    const question = session.waiting;
    if (question?.kind !== 'question')
      return streamed(session, () => session.send(text, { ...this.#options, files, id }), {
        abortSignal,
        request: id,
      });
    await session.answer(question.id, await answerWithFiles({ text, files }, session, this.#options));
    return streamed(session, () => continued(session), { abortSignal });
  }

  /**
   * Follows the run in progress, or resumes work that was interrupted, and returns the whole response. Returns null when there is none, when
   * a question waits for the user, after a failure, and after the user stopped the run.
   */
  async reconnectToStream({
    chatId,
    abortSignal,
  }: ReconnectOptions<Message> & {
    abortSignal?: AbortSignal | undefined;
  }): Promise<ReadableStream<UIMessageChunk> | null> {
    const session = await this.#session(chatId);
    if (!isContinued(session)) return null;
    const last = storedChat(await session.messages()).at(-1);
    const response = last?.role === 'assistant' ? last : null;
    const request = last?.role === 'user' ? last.id : undefined;
    if (!isContinued(session)) return null; // it ended meanwhile
    return streamed(session, () => continued(session), { abortSignal, response, request, replays: true });
  }

  async #session(chatId: string): Promise<ClientSession> {
    return typeof this.#source === 'function' ? this.#source(chatId) : this.#source;
  }
}

/**
 * Returns the stored conversation as messages for `useChat`. Without the last response when `reconnectToStream` returns it from its
 * beginning.
 *
 * @param options `last`: maximum number of stored messages that are read; a step has two. Default 500.
 */
export async function uiMessages(
  session: ClientSession,
  options: { last?: number } = {},
): Promise<SessionUIMessage[]> {
  const { last = 500 } = options;
  const { queued } = session; // before the messages: a request that is read meanwhile is among these
  const chat = storedChat(await session.messages({ last }));
  if (isContinued(session)) {
    if (chat.at(-1)?.role === 'assistant') chat.pop();
  } else addState(chat, { question: session.waiting, plan: await session.plan() });
  return [...chat, ...queuedMessages(queued, chat)];
}

/** Returns whether a request is in the conversation, so that it is changed or repeated. */
async function hasRequest(session: ClientSession, id: string): Promise<boolean> {
  const messages = await session.messages();
  return messages.some((message) => message.id === id && isRequest(message));
}

/** Stops the run in progress, and waits for its end. */
async function stopRun({ running }: ClientSession): Promise<void> {
  running?.stop();
  await running?.result().catch(() => undefined); // its own stream reports the error
}

/** Returns whether a reconnection continues a run. */
function isContinued(session: ClientSession): boolean {
  if (session.running !== null) return true;
  if (!session.resumable || session.waiting !== null || wasStopped(session.name)) return false;
  const { lastRun } = session;
  // A page that is left may still stop the run; `waiting` without a question: it was answered.
  return lastRun === null || lastRun.status === 'stopped' || lastRun.status === 'waiting';
}

function continued(session: ClientSession): Run {
  return session.running ?? session.resume();
}

/** Gives the session the answer that a response contains, and continues the response. */
async function sendAnswer(
  session: ClientSession,
  response: SessionUIMessage,
  abortSignal: AbortSignal | undefined,
): Promise<ReadableStream<SessionChunk>> {
  const question = session.waiting;
  const answer = question && answerIn(response, question);
  if (question === null || answer === null) return closedStream(closed(openCallsOf(response)));
  await session.answer(question.id, answer);
  return streamed(session, () => continued(session), { abortSignal, response });
}

interface StreamOptions {
  abortSignal: AbortSignal | undefined;
  /** Id of the request whose response begins. */
  request?: string | undefined;
  /** The response that the stream continues. */
  response?: SessionUIMessage | null;
  /** The stream begins with the parts of that response. */
  replays?: boolean;
}

/** Returns the chunks of a run until it ends. Leaving the stream does not stop the run; the signal does. */
function streamed(
  session: ClientSession,
  begin: () => Run,
  { abortSignal, request, response = null, replays = false }: StreamOptions,
): ReadableStream<SessionChunk> {
  const chunks = new EventChunks(response === null ? null : openCallsOf(response));
  let close = (): void => {};
  return new ReadableStream<SessionChunk>({
    start(controller) {
      let isClosed = false;
      const write = (list: readonly SessionChunk[]): void => {
        if (!isClosed) for (const chunk of list) controller.enqueue(chunk);
      };
      const stopListening = session.on((event) => write(chunks.push(event)));
      close = (): void => {
        isClosed = true;
        stopListening();
      };
      const messageId = request === undefined ? response?.id : responseId(request);
      write([
        { type: 'start', ...defined({ messageId }) },
        ...(replays && response !== null ? replayed(response) : []),
      ]);
      noteStop(session.name, false);
      const run = begin();
      const stop = (): void => {
        noteStop(session.name, true);
        run.stop();
      };
      if (abortSignal?.aborted === true) stop();
      abortSignal?.addEventListener('abort', stop, { once: true });
      const end = (list: SessionChunk[]): void => {
        abortSignal?.removeEventListener('abort', stop);
        write(list);
        if (!isClosed) controller.close();
        close();
      };
      run.result().then(
        (result) => end(chunks.finish(result)),
        (error: unknown) => end([{ type: 'error', errorText: toRoleZeroError(error).message }]),
      );
    },
    cancel: () => close(),
  });
}

/** A stream without a run. */
function closedStream(chunks: readonly SessionChunk[] = []): ReadableStream<SessionChunk> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.enqueue({ type: 'finish' });
      controller.close();
    },
  });
}

const stopKey = (session: string): string => `rolezero-stopped:${session}`;

/** Remembers in this tab that the user stopped the run: a reload must not continue it. */
function noteStop(session: string, isStopped: boolean): void {
  try {
    if (isStopped) sessionStorage.setItem(stopKey(session), '1');
    else sessionStorage.removeItem(stopKey(session));
  } catch {
    // Storage is denied: a reload continues the run.
  }
}

function wasStopped(session: string): boolean {
  try {
    return sessionStorage.getItem(stopKey(session)) !== null;
  } catch {
    return false;
  }
}

/** Returns the chunks that write the parts of a stored response again. Its last step stays open. */
function replayed({ parts }: SessionUIMessage): SessionChunk[] {
  return parts.flatMap((part, index): SessionChunk[] => {
    const id = `stored-${index}`;
    if (isToolPart(part)) return toolChunks(part);
    switch (part.type) {
      case 'step-start':
        return [{ type: 'start-step' }];
      case 'text':
      case 'reasoning':
        return [
          { type: `${part.type}-start`, id },
          { type: `${part.type}-delta`, id, delta: part.text },
          { type: `${part.type}-end`, id },
        ];
      default:
        return [];
    }
  });
}

function toolChunks(part: ToolPart): SessionChunk[] {
  const { toolCallId, toolName, input, providerExecuted } = part;
  const by = providerExecuted === undefined ? {} : { providerExecuted };
  const begin: SessionChunk = {
    type: 'tool-input-available',
    dynamic: true,
    toolCallId,
    toolName,
    input,
    ...by,
  };
  if (part.state === 'output-available')
    return [begin, { type: 'tool-output-available', toolCallId, output: part.output, ...by }];
  if (part.state === 'output-error')
    return [begin, { type: 'tool-output-error', toolCallId, errorText: part.errorText, ...by }];
  return [begin];
}
