import { connect, sessions, type AgentEvent } from 'rolezero';
import { expect, inject, onTestFinished, test } from 'vitest';
import { saying } from '../../../tiny-model/model-files.js';
import type { RoleConfig } from './role.worker.js';

/** What happens when a role with the real engine in its worker is asked to write a file. */
async function work(session: string, losesGpu: boolean): Promise<{ events: AgentEvent[]; file: unknown }> {
  const worker = () => new Worker(new URL('./role.worker.ts', import.meta.url), { type: 'module' });
  const config: RoleConfig = { modelServer: inject('modelServer'), losesGpu };
  const agent = await connect(worker, { session, config });
  onTestFinished(async () => {
    await agent.close();
    await sessions.remove(session);
  });
  const reply = JSON.stringify({
    thought: 'Done.',
    category: 'TASK',
    commands: [
      { command_name: 'Editor.write', args: { path: '/a.txt', content: 'from the GPU' } },
      { command_name: 'end', args: {} },
    ],
  });
  const events: AgentEvent[] = [];
  for await (const event of agent.send(`Write a file. ${saying(reply)}`)) events.push(event);
  return { events, file: await agent.files.read('/a.txt') };
}

test('a role thinks with a model in its own worker, and the page sees it load', async () => {
  const { events, file } = await work('web-llm-role', false);
  expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'done' });
  expect(file).toBe('from the GPU');
  const told = events.flatMap((event) => (event.type === 'model-progress' ? [event.text] : []));
  expect(told).toContain('Downloading tiny, 4 of 4 MB.');
  expect(told.at(-1)).toMatch(/^tiny is ready on WebGPU/);
}, 120_000);

test('a role whose GPU is lost in the middle of a reply loads the model again and finishes', async () => {
  const { events, file } = await work('web-llm-lost', true);
  expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'done' });
  expect(file).toBe('from the GPU');
  const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.code] : []));
  expect(warnings).toEqual(['model-device-lost']);
  const opened = events.filter((event) => event.type === 'model-progress' && event.text === 'Opening tiny.');
  expect(opened).toHaveLength(2);
}, 120_000);
