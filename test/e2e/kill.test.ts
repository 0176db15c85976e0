import { describe, it } from 'vitest';
import { killSeries, useKillPage } from './kill/kill-series.js';

useKillPage();

describe('a worker killed at one commit of each kind in the main job', () => {
  it('resumes to the same messages, memories, plan, files and notes', async () => {
    await killSeries((kinds) => [...new Set(kinds)].map((kind) => kinds.indexOf(kind) + 1));
  });
});
