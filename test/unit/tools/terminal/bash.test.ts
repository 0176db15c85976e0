import { afterEach, expect, it, vi } from 'vitest';
import { VirtualFiles } from '../../../../src/files/virtual-files.js';
import { runBash } from '../../../../src/tools/terminal/bash.js';

afterEach(() => vi.useRealTimers());

const noPrograms = { commands: [], run: () => Promise.reject(new Error('There are no programs.')) };
const memory = { cwd: '/', env: {}, functions: {} };

it('reports the time limit when a command fails because of it, and what it may have done outside', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const files = new VirtualFiles({ now: () => 0 }).stage();
  await files.write('/slow', '');
  vi.spyOn(files, 'readBytes').mockImplementation(() => {
    vi.setSystemTime(Date.now() + 2000);
    return Promise.reject(new Error('execution aborted'));
  });
  const request = { cmd: 'cat /slow', memory, timeoutMs: 2000, maxOutput: 1000, network: null };
  await expect(runBash(request, files, noPrograms)).rejects.toMatchObject({
    code: 'tool-timeout',
    message: expect.stringContaining('The command was stopped after 2 seconds') as string,
  });
  await expect(runBash(request, files, noPrograms)).rejects.not.toThrow('not known');
  const network = { urls: ['https://a.example/'], methods: ['POST' as const] };
  await expect(runBash({ ...request, network }, files, noPrograms)).rejects.toThrow(
    'it is not known whether its requests took effect',
  );
});
