import { expect, test } from 'vitest';
import { runRole } from './role-run.js';

test('a role uses a model in its own worker, and the page shows its loading progress', async () => {
  const { events, file } = await runRole('web-llm-role', false);
  expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'done' });
  expect(file).toBe('from the GPU');
  const progress = events.flatMap((event) => (event.type === 'model-progress' ? [event.text] : []));
  expect(progress).toContain('Downloading tiny, 4 of 4 MB.');
  expect(progress.at(-1)).toMatch(/^tiny is ready on WebGPU/);
}, 120_000);

test('a role whose GPU is lost in the middle of a reply reloads the model and finishes', async () => {
  const { events, file } = await runRole('web-llm-lost', true);
  expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'done' });
  expect(file).toBe('from the GPU');
  const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.code] : []));
  expect(warnings).toEqual(['model-device-lost']);
  const opened = events.filter((event) => event.type === 'model-progress' && event.text === 'Opening tiny.');
  expect(opened).toHaveLength(2);
}, 120_000);
