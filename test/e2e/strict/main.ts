import { connect, type RunStatus } from 'rolezero';
import { commands } from 'rolezero/testing';
import { frame } from 'rolezero/tools/frame';

/**
 * The minimal Trusted Types policy of an application: workers start from its own scripts, and nothing else becomes
 * code.
 */
interface Policies {
  createPolicy(name: 'default', rules: { createScriptURL(url: string): string }): unknown;
}
(window as unknown as { trustedTypes: Policies }).trustedTypes.createPolicy('default', {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`not our script: ${url}`);
    return url;
  },
});

const PAGE =
  '<!doctype html><title>Counter</title><button onclick="this.title = 1">More</button><output>0</output><script>' +
  "document.querySelector('button').onclick = () => document.querySelector('output').textContent++;</script>";

window.strict = {
  async run() {
    const element = document.createElement('div');
    element.className = 'pages';
    document.body.append(element);
    const worker = new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
    const session = await connect(worker, {
      session: 'strict',
      tools: [frame({ element, frameUrl: '/page-frame.html' })],
      config: {
        think: [
          commands(['Editor.write', { path: '/index.html', content: PAGE }]),
          commands(['Browser.goto', { url: '/index.html' }], ['Browser.view', {}]),
          commands(['end', {}]),
        ],
      },
    });
    const outputs: string[] = [];
    session.on((event) => {
      if (event.type === 'command-end') outputs.push(event.output);
    });
    const { status } = await session.send('show a page').result();
    await session.close();
    return { status, outputs };
  },
  assign() {
    const before = document.body.innerHTML;
    try {
      document.body.innerHTML = before;
      return 'assigned';
    } catch (error) {
      return (error as Error).name;
    }
  },
};

declare global {
  interface Window {
    strict: {
      run(): Promise<{ status: RunStatus; outputs: string[] }>;
      /** Violates the policy on purpose. Returns the name of the error. */
      assign(): string;
    };
  }
}
