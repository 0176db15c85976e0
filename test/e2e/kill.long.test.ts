import { describe, it } from 'vitest';
import { killSeries, useKillPage } from './kill/kill-series.js';

useKillPage();

describe('a worker killed at every commit of the main job', () => {
  it('always resumes to the same messages, memories, plan, files and notes', async () => {
    await killSeries((kinds) => kinds.map((_kind, index) => index + 1));
  });
});
