import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page, Route } from 'playwright';
import { build } from 'rolldown';
import { browserAlias } from '../../../scripts/aliases.js';
import { driverSourcePlugin } from '../../../scripts/driver-source.mjs';
import {
  startFaultServer,
  type FaultServer,
  type Scripted,
  type SeenRequest,
} from '../../fault-server/fault-server.js';
import { refusal, type Reply } from '../../fault-server/replies.js';
import { serveFolder, type Site } from '../../package/static-server.js';
import { startChromium } from '../chromium.js';
import type { Files } from './story.js';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const local = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Name of the original host of a forwarded request. */
const HOST_HEADER = 'x-forwarded-host';

/** Dynamically loaded parts of the library; their addresses are relative to the chunk with the rest. */
const LIBRARY_WORKERS = {
  'library/worker': `${project}src/spawn/worker.ts`,
  'library/shell-worker': `${project}src/tools/terminal/shell-worker.ts`,
};

/**
 * In the sources, the text of the shell's worker is empty; only the package contains it. Here the text imports the
 * worker's file.
 */
const shellText = {
  name: 'shell-text',
  load(id: string) {
    if (!id.endsWith('/tools/terminal/shell-worker-inline.ts')) return undefined;
    return "export const source = 'import ' + JSON.stringify(new URL('./shell-worker.js', import.meta.url).href);";
  },
};

const html = (snippet: string): string => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Snippet</title></head>
  <body>
    <script type="module">
      import { offer } from '/harness/page.ts';
      offer(() => import('/${snippet}'));
    </script>
  </body>
</html>
`;

/**
 * Builds all files together, so that pages and workers share the library's code. File names are unchanged, so
 * addresses such as `new URL('./agent.worker.ts', import.meta.url)` remain valid.
 */
async function buildSite(files: Files): Promise<string> {
  const root = `${project}node_modules/.cache/e2e-snippets/`; // In `node_modules`, so that snippets find packages.
  rmSync(root, { recursive: true, force: true });
  const input: Record<string, string> = { ...LIBRARY_WORKERS, 'harness/page': local('./page.ts') };
  for (const [path, code] of Object.entries(files)) {
    const page = `${root}site/${withoutExtension(path)}.html`;
    for (const file of [root + path, page]) mkdirSync(dirname(file), { recursive: true });
    writeFileSync(root + path, code);
    writeFileSync(page, html(`${withoutExtension(path)}.ts`));
    input[withoutExtension(path)] = root + path;
  }
  await build({
    input,
    platform: 'browser',
    // `package.json` names the files of the package that do something when they are loaded; here they are sources, and the snippets.
    treeshake: { moduleSideEffects: (id) => id.startsWith(root) || isElement(id) || undefined },
    plugins: [driverSourcePlugin(), shellText],
    resolve: {
      alias: { ...browserAlias, rolezero: local('./connect.ts') },
      extensionAlias: { '.js': ['.ts', '.js'] },
    },
    transform: { target: 'es2022', jsx: 'react-jsx', define: { 'process.env.NODE_ENV': '"production"' } },
    output: {
      dir: `${root}site`,
      format: 'es',
      entryFileNames: ({ name }) => (name in LIBRARY_WORKERS ? '[name].js' : '[name].ts'),
      chunkFileNames: '[name].js',
      codeSplitting: { groups: [{ name: 'library/index', test: isLibrary }] },
    },
  });
  return `${root}site`;
}

/** Not in the chunk that all workers share: elements exist on pages only, and the MCP client needs a worker with an address. */
const APART = ['element/', 'inspector/', 'tools/mcp/'].map((folder) => `${project}src/${folder}`);

const isElement = (id: string): boolean => /\/src\/(?:element|inspector)\/index\.ts$/.test(id);

const isLibrary = (id: string): boolean =>
  id.startsWith(`${project}src/`) &&
  !Object.values(LIBRARY_WORKERS).includes(id) &&
  !id.includes('just-bash') &&
  !APART.some((folder) => id.startsWith(folder));

const withoutExtension = (path: string): string => path.replace(/\.tsx?$/, '');

/**
 * The environment of snippets: a site with their pages, a browser, and one HTTP server in place of every host they
 * use.
 */
export class Stage {
  #hosts: Readonly<Record<string, Scripted>> = {};
  #firstRequest = 0;
  readonly #profiles: BrowserContext[] = [];
  readonly #fetch = globalThis.fetch;

  private constructor(
    private readonly site: Site,
    private readonly browser: Browser,
    private readonly server: FaultServer,
  ) {
    server.script([(request) => this.#answer(request)], 'repeat');
  }

  /** Builds the pages and serves them. */
  static async open(files: Files): Promise<Stage> {
    const site = await serveFolder(await buildSite(files));
    return new Stage(site, await startChromium(), await startFaultServer());
  }

  /** Sets the reachable hosts and their response to every request. */
  serve(hosts: Readonly<Record<string, Scripted>>): void {
    this.#hosts = hosts;
    this.#firstRequest = this.server.requests.length;
  }

  /** Returns the requests to a host since the last `serve`. */
  requests(host: string): SeenRequest[] {
    return this.server.requests
      .slice(this.#firstRequest)
      .filter(({ headers }) => headers[HOST_HEADER] === host);
  }

  /** A fetch for snippets in Node that reaches the hosts of `serve`. */
  readonly fetch: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    headers.set(HOST_HEADER, url.host);
    return this.#fetch(`${this.server.origin}${url.pathname}${url.search}`, { ...init, headers });
  };

  /** Opens a new browser profile: no sessions, no files. */
  async newProfile(): Promise<BrowserContext> {
    const profile = await this.browser.newContext();
    this.#profiles.push(profile);
    profile.setDefaultTimeout(60_000);
    await profile.route(
      (url) => url.protocol.startsWith('http') && url.origin !== this.origin,
      (route) => this.#forward(route),
    );
    return profile;
  }

  /** Opens the page of a file, by its path without extension. It waits for `window.page.run()`. */
  async visit(path: string, profile?: BrowserContext): Promise<Page> {
    const page = await (profile ?? (await this.newProfile())).newPage();
    await page.goto(`${this.origin}/${path}.html`);
    await page.waitForFunction(() => typeof window.page === 'object');
    return page;
  }

  get origin(): string {
    return this.site.origin;
  }

  /** Closes all profiles. No host is reachable afterwards. */
  async clear(): Promise<void> {
    this.serve({});
    await Promise.all(this.#profiles.splice(0).map((profile) => profile.close()));
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.site.close();
    await this.server.close();
  }

  async #forward(route: Route): Promise<void> {
    const url = new URL(route.request().url());
    const headers = { ...route.request().headers(), [HOST_HEADER]: url.host };
    try {
      const response = await route.fetch({
        url: `${this.server.origin}${url.pathname}${url.search}`,
        headers,
      });
      await route.fulfill({ response });
    } catch {
      await route.abort().catch(() => {}); // The page has been closed.
    }
  }

  #answer(request: SeenRequest): Reply {
    const host = String(request.headers[HOST_HEADER]);
    const scripted = this.#hosts[host] ?? refusal(404, `Nothing is served for ${host}.`);
    return typeof scripted === 'function' ? scripted(request) : scripted;
  }
}
