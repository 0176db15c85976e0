import { read, type Schema } from '../../../../src/core/schema.js';
import { driverSource } from '../../../../src/tools/browser/driver-source.js';
import {
  answerShapes,
  driverText,
  fromDriver,
  type AnswerOf,
  type DriverEvent,
  type DriverRequest,
  type DriverSettings,
} from '../../../../src/tools/browser/protocol.js';

/** Responses for the page's files: path → text. */
export type Files = Readonly<Record<string, string>>;

const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' data: blob:; style-src 'unsafe-inline'; img-src data: blob:";

/** A page with the driver in a sandboxed frame, driven over the port: the smallest possible host. */
export class DrivenPage {
  readonly events: DriverEvent[] = [];
  readonly #frame = document.createElement('iframe');
  readonly #channel = new MessageChannel();
  readonly #answers = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >();
  #last = 0;

  private constructor(readonly files: Files) {}

  static async open(
    html: string,
    settings: Partial<DriverSettings> = {},
    files: Files = {},
  ): Promise<DrivenPage> {
    const page = new DrivenPage(files);
    const nonce = crypto.randomUUID();
    const text = driverText(driverSource, {
      nonce,
      url: 'https://files.invalid/index.html',
      firstId: 1,
      dialogs: { accept: true, text: null },
      quiet: 60,
      ...settings,
    });
    const frame = page.#frame;
    frame.setAttribute('sandbox', 'allow-scripts allow-forms');
    frame.style.cssText = 'width:800px;height:600px;border:0';
    const start = `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><script>${text}</script>`;
    frame.srcdoc = /<!doctype/i.test(html)
      ? html.replace(/<!doctype[^>]*>/i, `$&${escape(start)}`)
      : start + html;
    const ready = new Promise<void>((resolve) => {
      page.#channel.port1.onmessage = (event: MessageEvent<unknown>) => {
        const message = parsed(fromDriver, event.data);
        if (message.type === 'event') {
          page.#event(message.event);
          if (message.event.event === 'ready') resolve();
          return;
        }
        const waiting = page.#answers.get(message.id);
        if (message.ok) waiting?.resolve(message.value);
        else waiting?.reject(new Error(`${message.code}: ${message.message}`));
      };
    });
    frame.addEventListener(
      'load',
      () => {
        frame.contentWindow?.postMessage({ rolezero: nonce }, '*', [page.#channel.port2]);
      },
      { once: true },
    );
    document.body.append(frame);
    await ready;
    await page.ask({ kind: 'settle' });
    return page;
  }

  async ask<Request extends DriverRequest>(request: Request): Promise<AnswerOf<Request['kind']>> {
    const id = ++this.#last;
    const answer = new Promise((resolve, reject) => this.#answers.set(id, { resolve, reject }));
    this.#channel.port1.postMessage({ type: 'call', id, request });
    return parsed<unknown>(answerShapes[request.kind], await answer) as AnswerOf<Request['kind']>;
  }

  /** All pages of the view. */
  async view(): Promise<string> {
    const first = await this.ask({ kind: 'view', limit: 100_000 });
    return first.text;
  }

  /** Posts to the page itself, not to its driver. */
  post(message: unknown): void {
    this.#frame.contentWindow?.postMessage(message, '*');
  }

  /** Resolves with the next matching message of the page itself. */
  heard<Report>(fits: (data: unknown) => data is Report): Promise<Report> {
    return new Promise((resolve) => {
      const listen = ({ source, data }: MessageEvent<unknown>): void => {
        if (source !== this.#frame.contentWindow || !fits(data)) return;
        removeEventListener('message', listen);
        resolve(data);
      };
      addEventListener('message', listen);
    });
  }

  close(): void {
    this.#channel.port1.close();
    this.#frame.remove();
  }

  #event(event: DriverEvent): void {
    this.events.push(event);
    if (event.event !== 'fetch') return;
    const body = this.files[new URL(event.url).pathname];
    this.#channel.port1.postMessage({
      type: 'file',
      id: event.id,
      status: body === undefined ? 404 : 200,
      contentType: 'text/plain',
      body: new TextEncoder().encode(body ?? 'not found').buffer,
    });
  }
}

/** A function, because `$` has a meaning in a replacement string. */
function escape(text: string): string {
  return text.replaceAll('$', '$$$$');
}

function parsed<T>(schema: Schema<T>, value: unknown): T {
  const result = read(schema, value);
  if (!result.success) throw new Error(JSON.stringify(result.error.issues));
  return result.data;
}
