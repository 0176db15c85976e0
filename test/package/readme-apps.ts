import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { extraPackages, type ExtraGroup } from '../../scripts/extra-packages.mjs';
import { commands } from '../../src/testing/scripted-model.js';
import { documentedSample } from '../documented-sample.js';
import { copyPackages } from './consumers.js';
import type { Packed } from './packed.setup.js';
import { node, npm } from './run.js';
import type { Site } from './static-server.js';

/** Address of a model. */
export interface ModelAccess {
  baseURL: string;
  apiKey: string;
}

/** The address and the key that the documentation shows. */
export const DOCUMENTED: ModelAccess = { baseURL: 'https://api.openai.com/v1', apiKey: 'sk-…' };

/** Placeholders for address and key in a built application, so that one build serves all cases; see `withAccess`. */
const MARKERS: ModelAccess = { baseURL: 'http://127.0.0.1:1/readme-base-url/v1', apiKey: 'readme-api-key' };

/** A fresh application with snippets of the documentation pasted into it. */
export interface ReadmeApp {
  name: string;
  /** Builds it in a new folder. Returns the folder with the built files. */
  build(packed: Packed): Promise<string>;
  /** The button that sends the request, where the page does not send it on load. */
  button?: string;
  /** Texts that the page shows after the run. */
  result: readonly string[];
  /** The frame in which the page that was built appears. */
  preview?: string;
  /** The conversation is shown again after a reload. */
  remembers?: boolean;
  /** A reload continues the run, and a button with the name Again sends the request again. */
  resumes?: boolean;
}

const REPLY = 'Open 2048.html to play.';
const SUMMARY = `done: ${REPLY}`;
const FILE = '/2048.html (13 bytes)';

/** Replies of a model that writes one file. */
export const replies: readonly string[] = [
  commands(['Editor.write', { path: '/2048.html', content: '<h1>2048</h1>' }]),
  commands(['RoleZero.reply_to_human', { content: REPLY }], ['end', {}]),
];

export const readmeApps: readonly ReadmeApp[] = [
  {
    name: 'Vite, vanilla',
    result: [REPLY, SUMMARY, FILE],
    preview: 'body > div > .rolezero-pages > iframe',
    build: (packed) =>
      viteApp(packed, template('vanilla-ts'), {
        'src/agent.worker.ts': workerFile(),
        'src/main.ts': withMarker(documentedSample('README.md', 'ts', '// src/main.ts'), 'apiKey'),
      }),
  },
  {
    name: 'Vite, React',
    button: 'Build',
    result: [REPLY],
    build: (packed) =>
      viteApp(packed, template('react-ts'), {
        'src/agent.worker.ts': workerFile(),
        'src/Agent.tsx': withMarker(
          documentedSample('docs/start.md', 'tsx', 'export function Agent()'),
          'apiKey',
        ),
        'src/App.tsx': `export { Agent as default } from './Agent.tsx';\n`,
      }),
  },
  {
    name: 'Vite, Vue',
    button: 'Build',
    result: [REPLY],
    build: (packed) =>
      viteApp(packed, template('vue-ts'), {
        'src/agent.worker.ts': workerFile(),
        'src/App.vue': withMarker(documentedSample('docs/start.md', 'vue', 'useRun('), 'apiKey'),
      }),
  },
  { name: 'Next', button: 'Build', result: [REPLY], build: nextApp },
];

/** Applications with Svelte, and with chats of the AI SDK; see the group `chat-templates`. */
export const chatApps: readonly ReadmeApp[] = [
  {
    name: 'Vite, Svelte',
    button: 'Build',
    result: [REPLY],
    build: (packed) =>
      chatApp(packed, 'svelte', 'svelte-ts', {
        'src/agent.worker.ts': workerFile(),
        'src/App.svelte': withMarker(documentedSample('docs/start.md', 'svelte', 'useRun('), 'apiKey'),
      }),
  },
  {
    name: 'Vite, React, useChat',
    button: 'Build',
    result: [REPLY, 'Editor.write: output-available'],
    remembers: true,
    resumes: true,
    build: (packed) =>
      chatApp(packed, 'use-chat', 'react-ts', { 'src/agent.worker.ts': workerFile(), ...reactChat() }),
  },
  {
    name: 'Vite, Vue, Chat of the AI SDK',
    button: 'Build',
    result: [REPLY],
    remembers: true,
    resumes: true,
    build: (packed) =>
      chatApp(packed, 'vue-chat', 'vue', { 'src/agent.worker.ts': workerFile(), ...vueChat() }),
  },
  {
    name: 'Vite, Svelte, Chat of the AI SDK',
    button: 'Build',
    result: [REPLY],
    remembers: true,
    resumes: true,
    build: (packed) =>
      chatApp(packed, 'svelte-chat', 'svelte-ts', { 'src/agent.worker.ts': workerFile(), ...svelteChat() }),
  },
  {
    name: 'Vite, assistant-ui',
    button: 'Build',
    result: [REPLY],
    remembers: true,
    build: (packed) =>
      chatApp(packed, 'assistant-ui', 'react', {
        'src/agent.worker.ts': workerFile(),
        'src/App.jsx': withMarker(
          documentedSample('docs/how-to/ai-sdk-ui.md', 'jsx', 'useChatRuntime'),
          'apiKey',
        ),
      }),
  },
];

/** The sample of a chat of the AI SDK in a framework. */
interface FrameworkChat {
  name: string;
  folder: string;
  template: string;
  page: () => Record<string, string>;
  /** Where the sample has a chat and a session: after which text of which file, and their names there. */
  opened: { path: string; after: string; chat: string; session: string };
}

const frameworkChats = (): readonly FrameworkChat[] => [
  {
    ...{ name: 'Vite, React, useChat', folder: 'react', template: 'react-ts', page: reactChat },
    opened: {
      path: 'src/ChatApp.tsx',
      after: "const isReady = chat.status === 'ready' || chat.status === 'error';",
      ...{ chat: 'chat', session: 'session' },
    },
  },
  {
    ...{ name: 'Vite, Vue, Chat of the AI SDK', folder: 'vue', template: 'vue', page: vueChat },
    opened: {
      path: 'src/App.vue',
      after: 'void chat.value.resumeStream();',
      ...{ chat: 'chat.value', session: 'opened' },
    },
  },
  {
    ...{
      name: 'Vite, Svelte, Chat of the AI SDK',
      folder: 'svelte',
      template: 'svelte-ts',
      page: svelteChat,
    },
    opened: {
      path: 'src/App.svelte',
      after: 'void chat.resumeStream();',
      ...{ chat: 'chat', session: 'session' },
    },
  },
];

/**
 * These chats with a worker that has the tools of an MCP server, skills and sub-agents.
 *
 * @param server URL of the MCP server.
 */
export const connectedApps = (server: string): readonly ReadmeApp[] =>
  frameworkChats().map(({ name, folder, template, page }) => ({
    name,
    button: 'Build',
    result: [],
    build: (packed) =>
      chatApp(packed, `connected-${folder}`, template, {
        'src/agent.worker.ts': connectedWorker(server),
        ...page(),
      }),
  }));

/** These chats, which give chat and session to the test as `window.changing`. */
export const changingApps = (): readonly Pick<ReadmeApp, 'name' | 'build'>[] =>
  frameworkChats().map(({ name, folder, template, page, opened: { path, after, chat, session } }) => ({
    name,
    build: (packed) => {
      const files = page();
      const given = `Object.assign(window, { changing: { chat: ${chat}, session: ${session}, read: uiMessages } });`;
      return chatApp(packed, `changing-${folder}`, template, {
        'src/agent.worker.ts': workerFile(),
        ...files,
        [path]: replaceOnce(files[path] ?? '', after, `${after}\n${given}`),
      });
    },
  }));

/** The worker of the README and the sample page with the chat element. */
export function elementApp(packed: Packed): Promise<string> {
  return viteApp(
    packed,
    { group: 'app-templates', name: 'element', template: 'vanilla-ts' },
    {
      'src/agent.worker.ts': workerFile(),
      'src/main.ts': withMarker(
        documentedSample('docs/how-to/chat-element.md', 'ts', '// src/chat.ts'),
        'apiKey',
      ),
    },
  );
}

const reactChat = () => ({
  'src/ChatApp.tsx': withMarker(documentedSample('docs/how-to/ai-sdk-ui.md', 'tsx', 'useChat({'), 'apiKey'),
  'src/App.tsx': `export { ChatApp as default } from './ChatApp.tsx';\n`,
});
const vueChat = () => ({
  'src/App.vue': withMarker(documentedSample('docs/how-to/ai-sdk-ui.md', 'vue', '@ai-sdk/vue'), 'apiKey'),
});
const svelteChat = () => ({
  'src/App.svelte': withMarker(
    documentedSample('docs/how-to/ai-sdk-ui.md', 'svelte', '@ai-sdk/svelte'),
    'apiKey',
  ),
});

const chatApp = (packed: Packed, name: string, template: string, files: Record<string, string>) =>
  viteApp(packed, { group: 'chat-templates', name, template }, files);

/** The sample page without a bundler. `cdn` serves installed packages instead of unpkg. */
export function plainHtml(cdn: () => Site): ReadmeApp {
  return {
    name: 'plain HTML',
    button: 'Build',
    result: [REPLY, SUMMARY, FILE],
    preview: '#page',
    async build({ app, scratch }) {
      const manifest = readFileSync(join(app, 'node_modules/rolezero/package.json'), 'utf8');
      const { unpkg } = JSON.parse(manifest) as { unpkg: string };
      const module = new URL(unpkg, `${cdn().origin}/rolezero/`).href;
      const page = documentedSample('docs/start.md', 'html', '<!doctype html>');
      const local = replaceOnce(page, `'https://unpkg.com/rolezero'`, `'${module}'`);
      const folder = join(scratch, 'readme-html');
      mkdirSync(folder, { recursive: true });
      paste(folder, { 'index.html': withMarker(withMarker(local, 'baseURL'), 'apiKey') });
      return folder;
    },
  };
}

/**
 * Copies built files to a new folder, with an address and a key instead of the placeholders.
 *
 * @throws Error when the files contain no placeholder.
 */
export function withAccess(built: string, folder: string, access: ModelAccess): void {
  cpSync(built, folder, { recursive: true });
  const missing = new Set(Object.values(MARKERS));
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(html|js)$/.test(name)) continue;
    const file = join(folder, name);
    let text = readFileSync(file, 'utf8');
    for (const option of ['baseURL', 'apiKey'] as const) {
      if (!text.includes(MARKERS[option])) continue;
      missing.delete(MARKERS[option]);
      text = text.replaceAll(MARKERS[option], () => access[option]);
      writeFileSync(file, text);
    }
  }
  if (missing.size > 0)
    throw new Error(`The files in ${built} do not contain ${[...missing].join(' and ')}.`);
}

/** The worker file that the README shows. */
function workerFile(): string {
  return withMarker(documentedSample('README.md', 'ts', '// src/agent.worker.ts'), 'baseURL');
}

function connectedWorker(server: string): string {
  return `import { RoleZero, serve } from 'rolezero/worker';
import { openai } from 'rolezero/providers/openai';
import { subagents } from 'rolezero/subagents';
import { editor } from 'rolezero/tools';
import { mcp } from 'rolezero/tools/mcp';
import { skills } from 'rolezero/tools/skills';

export default serve(
  ({ apiKey }: { apiKey: string }) =>
    new RoleZero({
      goal: 'help the user',
      model: openai({ baseURL: '${MARKERS.baseURL}', model: 'scripted', contextWindow: 32_000, apiKey }),
      tools: [
        editor(),
        mcp({ name: 'everything', url: '${server}', tools: ['echo', 'get-sum'], reads: ['get-sum'] }),
        skills(),
        subagents(),
      ],
    }),
);
`;
}

function withMarker(code: string, option: keyof ModelAccess): string {
  return replaceOnce(code, `'${DOCUMENTED[option]}'`, `'${MARKERS[option]}'`);
}

function replaceOnce(code: string, from: string, to: string): string {
  const parts = code.split(from);
  if (parts.length !== 2)
    throw new Error(`Expected ${from} once, found it ${parts.length - 1} times in:\n${code}`);
  return parts.join(to);
}

/** A template of `npm create vite`, in a group of packages that has its dependencies. */
interface Template {
  group: ExtraGroup;
  /** Folder of the application. */
  name: string;
  template: string;
}

function template(name: string): Template {
  return { group: 'app-templates', name, template: name };
}

/**
 * Creates an application with `npm create vite`, pastes files, and runs the application's own `npm run build`, which
 * type-checks first.
 */
async function viteApp(
  { app, scratch }: Packed,
  { group, name, template }: Template,
  files: Record<string, string>,
): Promise<string> {
  const tools = join(extraPackages(group), 'node_modules');
  // Applications import the installed package from `apps/node_modules`, all else from the folder above.
  const home = join(scratch, `readme-${group}`);
  const apps = join(home, 'apps');
  if (!existsSync(apps)) {
    mkdirSync(apps, { recursive: true });
    symlinkSync(tools, join(home, 'node_modules'), 'junction');
    copyPackages(app, apps);
  }
  const program = join(tools, 'create-vite/index.js');
  await node([program, name, '--template', template, '--no-interactive'], apps);
  const folder = join(apps, name);
  paste(folder, files);
  await npm(['run', 'build'], folder);
  return join(folder, 'dist');
}

/** Copies the template of `npm create next-app`, pastes files, and builds, which type-checks. */
async function nextApp({ app, scratch }: Packed): Promise<string> {
  const template = join(
    extraPackages('app-templates'),
    'node_modules/create-next-app/dist/templates/app-empty/ts',
  );
  const home = realpathSync(extraPackages('next')); // Turbopack does not follow a linked `node_modules`
  // Turbopack reads nothing outside of its root, so the application lies in the folder that has Next.
  const folder = mkdtempSync(join(home, 'readme-'));
  try {
    cpSync(template, folder, { recursive: true });
    copyPackages(app, folder);
    paste(folder, {
      'package.json': JSON.stringify({ name: 'next-app', private: true }),
      'next.config.ts': `export default { output: 'export', turbopack: { root: ${JSON.stringify(home)} } };\n`,
      'app/agent.worker.ts': workerFile(),
      'app/agent.tsx': `'use client';\n\n${withMarker(documentedSample('docs/start.md', 'tsx', 'export function Agent()'), 'apiKey')}`,
      'app/page.tsx': `import { Agent } from './agent';\n\nexport default function Home() {\n  return <Agent />;\n}\n`,
    });
    await node([join(home, 'node_modules/next/dist/bin/next'), 'build'], folder);
    const built = join(scratch, 'readme-next');
    cpSync(join(folder, 'out'), built, { recursive: true });
    return built;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function paste(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
}
