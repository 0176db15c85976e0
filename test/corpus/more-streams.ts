/** An answer of a server that streams in an unusual way, and what it must be read as. The file `odd-streams.json` has more of them. */
export interface OddStream {
  id: string;
  server: string;
  parts: Part[];
  want: {
    text?: string;
    reasoning?: string;
    finish?: string;
    /** Tokens of the prompt and the reply. */
    usage?: readonly number[];
    /** True for any error, or a part of its message. */
    error?: boolean | string;
  };
  /** The content type, if it is another than `text/event-stream`. */
  type?: string;
}

type Part = string | { wait: number } | { drop: true } | { bytes: number[] };

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: unknown, finish: unknown = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const say = (content: string): string => data(chunk({ content }));
const end = (word: unknown): string => data(chunk({}, word));
const DONE = 'data: [DONE]\n\n';
const HELLO = [say('Hel'), say('lo')];
const whole = { text: 'Hello', finish: 'stop' };

const ends = (word: string, finish: string): OddStream => ({
  id: `ends with ${word}`,
  server: 'any',
  parts: [...HELLO, end(word), DONE],
  want: { text: 'Hello', finish },
});
const fails = (word: string): OddStream => ({
  id: `fails with ${word}`,
  server: 'any',
  parts: [...HELLO, end(word), DONE],
  want: { error: word },
});

export const MORE_STREAMS: OddStream[] = [
  ...[
    'stop',
    'STOP',
    'eos',
    'end_turn',
    'tool_calls',
    'tool-calls',
    'COMPLETE',
    'stop_sequence',
    'FINISH_REASON_STOP',
  ].map((word) => ends(word, 'stop')),
  ...['max_tokens', 'MAX_TOKENS', 'model_length', 'model_context_window_exceeded', 'max_output_tokens'].map(
    (word) => ends(word, 'length'),
  ),
  ...['SAFETY', 'sensitive', 'guardrail_intervened', 'content-filter'].map((word) =>
    ends(word, 'content-filter'),
  ),
  ...['abort', 'ABORTED', 'network_error', 'cancelled', 'insufficient_system_resource', 'incomplete'].map(
    fails,
  ),
  ends('finished_by_oracle', 'other'),
  {
    id: '[DONE] without a finish reason does not prove a whole reply',
    server: 'home-made',
    parts: [...HELLO, DONE],
    want: { text: 'Hello', finish: 'other' },
  },
  {
    id: 'token counts at the end, nothing else',
    server: 'a proxy that drops the last event',
    parts: [...HELLO, data({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } })],
    want: { text: 'Hello', finish: 'other', usage: [5, 2] },
  },
  {
    id: 'token counts at the beginning, then cut',
    server: 'a proxy for Anthropic',
    parts: [data({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 1 } }), say('Hel')],
    want: { error: 'ended before it was complete' },
  },
  {
    id: 'a drop after more text than the finish reason announced',
    server: 'a gateway that marks each event as the last',
    parts: [data(chunk({ content: 'Hel' }, 'stop')), say('l'), { drop: true }],
    want: { error: 'connection broke' },
  },
  {
    id: 'a finish reason, then more text, then the end',
    server: 'a gateway that marks the first event as the last',
    parts: [data(chunk({ content: 'Hel' }, 'stop')), say('lo')],
    want: { text: 'Hello', finish: 'other' },
  },
  {
    id: 'event: error with JSON, then [DONE]',
    server: 'a FastAPI server',
    parts: [...HELLO, 'event: error\ndata: {"reason":"worker lost"}\n\n', DONE],
    want: { error: 'worker lost' },
  },
  {
    id: 'event: error in the words of OpenAI',
    server: 'a gateway',
    parts: [...HELLO, 'event: error\ndata: {"error":{"message":"worker lost","code":503}}\n\n', DONE],
    want: { error: 'worker lost' },
  },
  {
    id: 'event: error without an empty line',
    server: 'a server that crashed',
    parts: [...HELLO, 'event: error\ndata: worker lost'],
    want: { error: 'worker lost' },
  },
  {
    id: 'message and code without choices',
    server: 'a gateway',
    parts: [...HELLO, data({ message: 'Insufficient balance', code: 'balance' }), DONE],
    want: { error: 'Insufficient balance' },
  },
  {
    id: 'error_msg',
    server: 'Baidu',
    parts: [data({ error_code: 17, error_msg: 'Daily limit reached' }), DONE],
    want: { error: 'Daily limit reached' },
  },
  {
    id: 'code and message of success beside a usage',
    server: 'a gateway that wraps each event',
    parts: [...HELLO, end('stop'), data({ code: 0, message: 'success' }), DONE],
    want: whole,
  },
  {
    id: 'a status that is no error',
    server: 'a gateway that reports its progress',
    parts: [data({ type: 'status', message: 'Loading the model' }), ...HELLO, end('stop'), DONE],
    want: whole,
  },
  {
    id: 'a line of text in an event',
    server: 'mistral.rs',
    parts: [...HELLO, 'data: The engine has panicked.\n\n', { wait: 20 }, DONE],
    want: { error: 'The engine has panicked.' },
  },
  {
    id: 'a line of text outside of events, then the end',
    server: 'uvicorn behind a proxy',
    parts: [...HELLO, 'Internal Server Error\n'],
    want: { error: 'Internal Server Error' },
  },
  {
    id: 'data: ping',
    server: 'a proxy that keeps the connection open',
    parts: ['data: ping\n\n', ...HELLO, 'data: [ping]\n\n', end('stop'), DONE],
    want: whole,
  },
  {
    id: 'one line break between events',
    server: 'home-made',
    parts: [...HELLO, end('stop'), DONE].map((part) => part.replace('\n\n', '\n')),
    want: whole,
  },
  {
    id: 'one line break between events, the last one cut',
    server: 'home-made',
    parts: [...HELLO.map((part) => part.replace('\n\n', '\n')), 'data: {"choices":[{"ind'],
    want: { error: true },
  },
  {
    id: 'events under the type of JSON',
    server: 'a gateway',
    parts: [...HELLO, end('stop'), DONE],
    want: whole,
    type: 'application/json',
  },
  {
    id: 'lines of JSON under the type of JSON',
    server: 'a gateway',
    parts: [chunk({ content: 'Hello' }), chunk({}, 'stop')].map((each) => `${JSON.stringify(each)}\n`),
    want: whole,
    type: 'application/json; charset=utf-8',
  },
  {
    id: 'a formatted whole reply as an event stream',
    server: 'a gateway',
    parts: [
      JSON.stringify(
        { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }], usage: { prompt_tokens: 5 } },
        null,
        2,
      ),
    ],
    want: { ...whole, usage: [5, 0] },
  },
  {
    id: 'a web page as an event stream',
    server: 'a proxy that asks to log in',
    parts: ['<!DOCTYPE html>\n<html><body>Log in</body></html>\n'],
    want: { error: 'web page' },
  },
  {
    id: 'a web page under its own type',
    server: 'a proxy that asks to log in',
    parts: ['<html><body>Log in</body></html>'],
    want: { error: 'web page' },
    type: 'text/html',
  },
  {
    id: 'parts of a content with a summary of the reasoning',
    server: 'Databricks',
    parts: [
      data(chunk({ content: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] }] })),
      data(
        chunk({
          content: [
            { type: 'text', text: 'Hel' },
            { type: 'text', text: 'lo' },
          ],
        }),
      ),
      end('stop'),
      DONE,
    ],
    want: { ...whole, reasoning: 'Hm' },
  },
  {
    id: 'the whole message with its reasoning after the deltas',
    server: 'a gateway',
    parts: [
      data(chunk({ reasoning_content: 'Hm' })),
      ...HELLO,
      data({
        choices: [
          { index: 0, message: { content: 'Hello', reasoning_content: 'Hm' }, finish_reason: 'stop' },
        ],
      }),
      DONE,
    ],
    want: { ...whole, reasoning: 'Hm' },
  },
  {
    id: 'the whole message beside an empty delta, after parts of it',
    server: 'a gateway that lost an event',
    parts: [
      say('Hel'),
      data({ choices: [{ index: 0, delta: {}, message: { content: 'Hello' }, finish_reason: 'stop' }] }),
      DONE,
    ],
    want: whole,
  },
  {
    id: 'messages as parts, then the whole message',
    server: 'a gateway',
    parts: [
      ...['Hel', 'lo', 'Hello'].map((content, index) =>
        data({ choices: [{ index: 0, message: { content }, finish_reason: index === 2 ? 'stop' : null }] }),
      ),
      DONE,
    ],
    want: whole,
  },
  {
    id: 'other choices alone in their events',
    server: 'a gateway with n = 2',
    parts: [
      data({ choices: [{ index: 1, delta: { content: 'Bye' }, finish_reason: 'stop' }] }),
      ...HELLO,
      data({ choices: [{ index: 1, delta: { content: '!' } }] }),
      end('stop'),
      DONE,
    ],
    want: whole,
  },
  {
    id: 'counts that come one after the other',
    server: 'a proxy for Anthropic',
    parts: [
      data({ choices: [], usage: { input_tokens: 5, output_tokens: 0 } }),
      ...HELLO,
      end('end_turn'),
      data({ choices: [], usage: { input_tokens: 0, output_tokens: 2 } }),
      DONE,
    ],
    want: { ...whole, usage: [5, 2] },
  },
  {
    id: 'quoted and lower-case [DONE] with a repeated prefix',
    server: 'a proxy that wraps events again',
    parts: [...HELLO, end('stop'), 'data: data: "[done]"\n\n'],
    want: whole,
  },
  {
    id: 'an error in a later choice of an ended reply',
    server: 'a gateway',
    parts: [...HELLO, end('stop'), data({ error: { message: 'Logging failed', code: 500 } }), DONE],
    // after the end of a reply, an error can only be about something else
    want: whole,
  },
];
