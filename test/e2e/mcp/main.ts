import { connect, type AgentEvent, type Session } from 'rolezero';
import { keyVault } from 'rolezero/keys';
import { finishMcpSignIn, mcpSignIn } from 'rolezero/tools/mcp/page';

/** What happened in a run. */
export interface Reported {
  status: string;
  /** The observations of the model. */
  outputs: string[];
  questions: string[];
  warnings: string[];
  progress: string[];
  files: string[];
}

/** Addresses of the model and of the MCP server. */
export interface Config {
  baseURL: string;
  model: string;
  server: string;
}

const questions: string[] = [];
const events: AgentEvent[] = [];

/** How the user signs in. */
type Via = 'open' | 'redirect';

/** Shows a button that begins the sign-in. */
const signIn = (via: Via) =>
  mcpSignIn({
    allowLocalhost: true,
    prompt(prompt) {
      const button = document.createElement('button');
      button.textContent = `Sign in to ${prompt.server} at ${prompt.host}`;
      button.addEventListener('click', prompt[via]);
      document.body.append(button);
    },
  });

function recipe(): Worker {
  return new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
}

function secured(): Worker {
  return new Worker(new URL('./sign-in.worker.ts', import.meta.url), { type: 'module' });
}

async function start(config: Config, name: string, isAllowed: boolean, via?: Via): Promise<Session> {
  questions.length = 0;
  events.length = 0;
  const session = await connect(via === undefined ? recipe : secured, {
    session: name,
    config,
    tools: via === undefined ? [] : [signIn(via)],
    approve: (_, { text }) => {
      questions.push(text);
      return isAllowed;
    },
    askHuman: ({ text }) => {
      questions.push(text);
      return isAllowed ? 'yes' : 'no';
    },
  });
  session.on((event) => void events.push(event));
  return session;
}

async function reported(session: Session, status: string): Promise<Reported> {
  const messages = await session.messages();
  const files = await session.files.list();
  await session.close();
  return {
    status,
    outputs: messages.map(({ content }) => content).filter((content) => content.startsWith('Command ')),
    questions: [...questions],
    warnings: events.flatMap((event) => (event.type === 'warning' ? [event.message] : [])),
    progress: events.flatMap((event) => (event.type === 'command-output-delta' ? [event.text.trim()] : [])),
    files: files.flatMap(({ path, type }) => (type === 'file' ? [path] : [])),
  };
}

/** Sends a request, or resumes the run that was interrupted. */
async function run(
  config: Config,
  name: string,
  request: string | null,
  isAllowed: boolean,
  via?: Via,
): Promise<Reported> {
  const session = await start(config, name, isAllowed, via);
  const running = request === null ? session.resume() : session.send(request);
  return reported(session, (await running.result()).status);
}

declare global {
  interface Window {
    run: typeof run;
    /** A sign-in has returned to this page. */
    returned: Promise<boolean>;
  }
}
window.run = run;
window.returned = finishMcpSignIn(keyVault());
