import { expect, inject, it } from 'vitest';
import { chooseModel, CPU_MODEL, detectModels, type Found } from '../../../src/providers/detect/index.js';
import { localServers } from '../../../src/providers/detect/detect-models.js';
import { remoteFaultServer } from '../../fault-server/remote.js';
import { json, head, send, stall } from '../../fault-server/replies.js';

const server = { name: 'Ollama', baseURL: 'http://localhost:11434/v1', models: ['qwen3:8b', 'other'] };
const everything: Found = {
  webgpu: {
    model: 'Qwen3-1.7B-q4f16_1-MLC',
    f16: true,
    reason: 'It is the most capable model for this GPU.',
  },
  chrome: 'available',
  servers: [server],
  remote: { baseURL: 'https://api.example/v1', model: 'big' },
  mayDownload: true,
};
const nothing: Found = { webgpu: null, chrome: 'absent', servers: [], remote: null, mayDownload: false };

it('selects the first available model and gives the reason', () => {
  const left: [Partial<Found>, string][] = [
    [{}, 'web-llm'],
    [{ webgpu: null }, 'chrome'],
    [{ chrome: 'downloadable' }, 'server'],
    [{ servers: [] }, 'remote'],
    [{ remote: null }, 'wllama'],
    [{ mayDownload: false }, 'tour'],
  ];
  let found = everything;
  for (const [place, [change, kind]] of left.entries()) {
    found = { ...found, ...change };
    const { chosen, others, passedOver, offer } = chooseModel(found);
    expect(offer).toEqual(kind === 'tour' ? CPU_MODEL : null);
    expect(chosen.kind).toBe(kind);
    expect(chosen.reason).toMatch(/^[A-Z].*\.$/);
    expect(passedOver).toHaveLength(place);
    expect(others.map((other) => other.kind)).toEqual(left.slice(place + 1).map(([, later]) => later));
  }
  expect(chooseModel({ ...nothing, servers: [server] }).chosen.reason).toBe(
    'Ollama answers at http://localhost:11434/v1 and has qwen3:8b and 1 more.',
  );
});

it('reports what a GPU lacks, and the size of a download', () => {
  const slow = { model: null, f16: false, reason: 'The processor computes in its place.' };
  const { passedOver } = chooseModel({ ...nothing, webgpu: slow });
  expect(passedOver[0]).toBe('The processor computes in its place.');
  expect(passedOver.at(-1)).toBe(
    'A model for the processor would have to be downloaded (Qwen2.5 1.5B Instruct, 1.1 GB), and the user has not agreed to that.',
  );
  const cpuModel = { name: 'Mine', url: 'https://models.example/mine.gguf', bytes: 400_000_000 };
  const { chosen } = chooseModel({ ...nothing, mayDownload: true, cpuModel });
  expect(chosen).toEqual({
    kind: 'wllama',
    model: cpuModel,
    reason: 'You agreed to download a model (Mine, 0.4 GB): it runs on the processor, slowly, in this tab.',
  });
});

it('finds real servers that list models, and skips all others', async () => {
  const start = async (
    reply: Parameters<Awaited<ReturnType<typeof remoteFaultServer>>['script']>[0][number],
  ) => {
    const started = await remoteFaultServer(inject('faultServer'));
    await started.script([reply], 'repeat');
    return started.url;
  };
  const good = await start(json(200, { object: 'list', data: [{ id: 'a' }, { id: 'b' }, { no: 1 }] }));
  const strange: [string, string][] = [
    ['a web page', await start([head(200, { 'content-type': 'text/html' }), send('<html></html>')])],
    ['no models', await start(json(200, { data: [] }))],
    ['an error', await start(json(500, { data: [{ id: 'a' }] }))],
    ['a silent one', await start([stall])],
    ['nobody', 'http://127.0.0.1:9/v1'],
  ];
  expect(await localServers([...strange, ['Good', good]])).toEqual([
    { name: 'Good', baseURL: good, models: ['a', 'b'] },
  ]);
});

it('inspects this browser without failing', async () => {
  const { chosen, passedOver } = await detectModels({ probes: { servers: () => Promise.resolve([server]) } });
  expect(['web-llm', 'chrome', 'server']).toContain(chosen.kind);
  const expected = { 'web-llm': 0, chrome: 1, server: 2 }[chosen.kind as 'web-llm' | 'chrome' | 'server'];
  expect(passedOver).toHaveLength(expected);
});
