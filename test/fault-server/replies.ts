/** One thing the fault server does with a request. Plain data, so that a page can send it. */
export type Step =
  | { do: 'head'; status: number; headers: Record<string, string> }
  | { do: 'send'; text: string }
  | { do: 'send-bytes'; bytes: number[] }
  | { do: 'wait'; ms: number }
  | { do: 'hold' } // until the test calls `release()`
  | { do: 'stall' } // nothing more ever comes; the connection stays open
  | { do: 'drop' } // the connection is closed, in the middle of whatever was continuing
  | { do: 'reset' }; // the same with a TCP RST

/** What happens to one request. A reply whose steps do not stall, drop or reset ends properly. */
export type Reply = Step[];

export const send = (text: string): Step => ({ do: 'send', text });
export const sendBytes = (bytes: Iterable<number>): Step => ({ do: 'send-bytes', bytes: [...bytes] });
export const wait = (ms: number): Step => ({ do: 'wait', ms });
export const hold: Step = { do: 'hold' };
export const stall: Step = { do: 'stall' };
export const drop: Step = { do: 'drop' };
export const reset: Step = { do: 'reset' };

export const head = (status: number, headers: Record<string, string> = {}): Step => ({
  do: 'head',
  status,
  headers,
});

/** Begins a good event stream. */
export const streaming = head(200, { 'content-type': 'text/event-stream' });

/** A server-sent event. */
export const event = (data: unknown): Step =>
  send(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);

/** The event that adds `delta` to a reply. */
export const delta = (delta: Record<string, unknown>, finishReason: string | null = null): Step =>
  event({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finishReason }] });

export const text = (content: string): Step => delta({ content });
export const finish = (reason = 'stop'): Step => delta({}, reason);
export const done: Step = event('[DONE]');

/** The event with token counts, as OpenAI sends it after the last delta. */
export const usage = (promptTokens: number, completionTokens: number, more: object = {}): Step =>
  event({
    choices: [],
    usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens, ...more },
  });

/** A complete streamed reply in the given pieces. */
export const reply = (...pieces: string[]): Reply => [streaming, ...pieces.map(text), finish(), done];

/** An answer with JSON, good or bad. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => [
  head(status, { 'content-type': 'application/json', ...headers }),
  send(JSON.stringify(body)),
];

/** An HTTP error in OpenAI's words. */
export const refusal = (
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code: string | null = null,
): Reply => json(status, { error: { message, code } }, headers);
