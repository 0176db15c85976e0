import { afterEach } from 'vitest';
import { connect, sessions, type AgentEvent, type ConnectOptions, type Session } from 'rolezero';
import { commands } from 'rolezero/testing';
import { frame, type FrameOptions } from 'rolezero/tools/frame';

export type Step = readonly [name: string, args: Record<string, string | number | boolean>];

const open = new Set<Session>();
const names = new Set<string>();
const elements = new Set<HTMLElement>();

afterEach(async () => {
  for (const session of open) await session.close();
  open.clear();
  for (const name of names) await sessions.remove(name);
  names.clear();
  for (const element of elements) element.remove();
  elements.clear();
  for (const left of document.querySelectorAll('.rolezero-pages')) left.remove();
});

/** A container for pages. */
export function place(): HTMLElement {
  const element = document.createElement('div');
  element.style.cssText = 'position:relative;width:800px;height:600px';
  document.body.append(element);
  elements.add(element);
  return element;
}

export interface Agent {
  session: Session;
  worker: Worker;
  name: string;
  element: HTMLElement;
}

/** An agent that runs the commands, one reply each, and ends. */
export async function agent(
  steps: readonly (Step | readonly Step[])[],
  {
    name = crypto.randomUUID(),
    files = {},
    policy,
    frames = {},
    tools,
    ...rest
  }: {
    name?: string;
    files?: Record<string, string>;
    policy?: unknown;
    frames?: FrameOptions;
    tools?: ConnectOptions['tools'];
  } & Pick<ConnectOptions, 'approve'> = {},
): Promise<Agent> {
  const worker = new Worker(new URL('./browser.worker.ts', import.meta.url), { type: 'module' });
  const replies = steps.map((step) => commands(...((typeof step[0] === 'string' ? [step] : step) as Step[])));
  const element = place();
  const session = await connect(worker, {
    session: name,
    takeOver: true,
    config: { script: { think: [...replies, commands(['end', {}])] }, policy },
    tools: tools ?? [frame({ element, ...frames })],
    ...rest,
  });
  open.add(session);
  names.add(name);
  for (const [path, content] of Object.entries(files)) await session.files.write(path, content);
  return { session, worker, name, element };
}

/** The outputs of the commands, without the last `end`. */
export async function outputs(events: AsyncIterable<AgentEvent>): Promise<string[]> {
  const found: string[] = [];
  for await (const event of events) {
    if (event.type === 'command-end' && event.name !== 'end')
      found.push(event.output.replace(`Command ${event.name} executed: `, ''));
  }
  return found;
}

/** Runs the steps and returns their outputs. */
export async function say(
  steps: readonly (Step | readonly Step[])[],
  options?: Parameters<typeof agent>[1],
): Promise<string[]> {
  const { session } = await agent(steps, options);
  return outputs(session.send('go'));
}
