import { describe, expect, it } from 'vitest';
import { CPU_MODEL, type Found } from 'rolezero/providers/detect';
import {
  cpuWay,
  measured,
  offersFor,
  waysOf,
  withStored,
  type Lack,
  type Offer,
  type Way,
} from '../../../demo/state/offers.js';
import { isConnected, noSettings, type Settings } from '../../../demo/state/settings.js';
import { speak } from '../../../demo/text/index.js';
import { downloadText, lackText, nameOfWay, reasonOf } from '../../../demo/text/ways.js';

const offers: Offer[] = [
  { id: 'large', memoryMB: 4_400, contextWindow: 4096 },
  { id: 'fitting', memoryMB: 1_630, contextWindow: 4096 },
];
const gpu = { model: 'fitting', f16: true, reason: 'It suits.' };
const ollama = { name: 'Ollama', baseURL: 'http://localhost:11434/v1', models: ['qwen3:8b', 'other'] };
const remote = { baseURL: 'https://api.example/v1', model: 'big' };

type Webgpu = 'none' | 'weak' | 'able';
const WEBGPU: Record<Webgpu, Found['webgpu']> = {
  none: null,
  weak: { model: null, f16: false, reason: 'Too limited.' },
  able: gpu,
};
const CHROME: readonly Found['chrome'][] = [
  'absent',
  'unavailable',
  'downloadable',
  'downloading',
  'available',
];

/** Every combination of available models, with the expected offers and texts. */
const all = (Object.keys(WEBGPU) as Webgpu[]).flatMap((webgpu) =>
  CHROME.flatMap((chrome) =>
    [true, false].flatMap((hasServer) =>
      [true, false].map((hasEndpoint) => ({ webgpu, chrome, hasServer, hasEndpoint })),
    ),
  ),
);

function foundOf({ webgpu, chrome, hasServer, hasEndpoint }: (typeof all)[number]): Found {
  return {
    webgpu: WEBGPU[webgpu],
    chrome,
    servers: hasServer ? [ollama] : [],
    remote: hasEndpoint ? remote : null,
    mayDownload: false,
  };
}

describe('the models offered to a user', () => {
  it('have a fixed order: 60 machines', () => {
    expect(all).toHaveLength(60);
    for (const machine of all) {
      const { ways } = waysOf(foundOf(machine), machine.webgpu === 'able' ? offers : []);
      const toDownload = machine.chrome === 'downloadable' || machine.chrome === 'downloading';
      const expected: Way['kind'][] = [
        ...(machine.webgpu === 'able' ? (['web-llm', 'web-llm'] as const) : []),
        ...(machine.chrome === 'available' ? (['chrome'] as const) : []),
        ...(machine.hasServer ? (['server', 'server'] as const) : []),
        ...(machine.hasEndpoint ? (['remote'] as const) : []),
        ...(toDownload ? (['chrome'] as const) : []),
        'wllama',
      ];
      expect(
        ways.map(({ kind }) => kind),
        JSON.stringify(machine),
      ).toEqual(expected);
      // Downloads need consent; everything else can be used at once.
      expect(
        ways.every(({ kind, download }) =>
          kind === 'web-llm' || kind === 'wllama'
            ? download !== null
            : (download !== null) === (kind === 'chrome' && toDownload),
        ),
      ).toBe(true);
      expect(ways.every(({ settings }) => isConnected(settings))).toBe(true);
    }
  });

  it('include the reason why each of the others is missing', () => {
    const gpuLack: Record<Webgpu, Lack | null> = { none: 'no-adapter', weak: 'gpu-too-weak', able: null };
    const chromeLack: Record<Found['chrome'], Lack | null> = {
      absent: 'no-browser-model',
      unavailable: 'browser-model-not-here',
      downloadable: 'browser-model-to-download',
      downloading: 'browser-model-downloading',
      available: null,
    };
    for (const machine of all)
      expect(waysOf(foundOf(machine), offers).lacks).toEqual(
        [
          gpuLack[machine.webgpu],
          chromeLack[machine.chrome],
          machine.hasServer ? null : 'no-local-server',
          machine.hasEndpoint ? null : 'no-endpoint',
        ].filter((lack) => lack !== null),
      );
  });

  it('begin with the model that fits this machine, not with the largest', () => {
    const found = foundOf({ webgpu: 'able', chrome: 'absent', hasServer: false, hasEndpoint: false });
    expect(waysOf(found, offers).ways.map(({ name }) => name)).toEqual(['fitting', 'large', CPU_MODEL.name]);
  });

  it('are connected as they are', () => {
    const everything = foundOf({ webgpu: 'able', chrome: 'available', hasServer: true, hasEndpoint: true });
    const settings = waysOf(everything, offers.slice(1)).ways.map((way) => way.settings);
    const expected: Settings[] = [
      { where: 'tab', baseURL: '', model: 'fitting', contextWindow: 4096 },
      { where: 'browser', baseURL: '', model: 'chrome', contextWindow: 4096 },
      { where: 'server', baseURL: ollama.baseURL, model: 'qwen3:8b', contextWindow: 4096 },
      { where: 'server', baseURL: ollama.baseURL, model: 'other', contextWindow: 4096 },
      { where: 'server', ...remote, contextWindow: noSettings.contextWindow },
      { where: 'processor', baseURL: CPU_MODEL.url, model: CPU_MODEL.name, contextWindow: 8192 },
    ];
    expect(settings).toEqual(expected);
  });

  it('have a description, a reason and a download size in both languages', async () => {
    const found = foundOf({ webgpu: 'able', chrome: 'downloadable', hasServer: true, hasEndpoint: true });
    const none = foundOf({ webgpu: 'none', chrome: 'absent', hasServer: false, hasEndpoint: false });
    const say = () => ({
      ways: waysOf(found, offers).ways.map((way) => [
        nameOfWay(way),
        reasonOf(way),
        way.download === null ? '' : downloadText(way.download),
      ]),
      lacks: waysOf(none, []).lacks.map(lackText),
    });
    const english = say();
    expect(english.ways.at(-1)).toEqual([
      'Qwen2.5 1.5B',
      'Works on any processor. No data leaves this machine; answers take minutes.',
      'Downloads about 1.12 GB from huggingface.co, once.',
    ]);
    expect(english.ways[0]?.[2]).toBe('Downloads at most 1.63 GB from huggingface.co, once.');
    expect(english.lacks.join(' ')).toMatch(/WebGPU.*built-in model.*Ollama 11434.*settings/);
    await speak('zh').catch(() => undefined); // There is no document here with a language.
    const chinese = say();
    expect(chinese.lacks).toHaveLength(english.lacks.length);
    for (const said of [...chinese.ways.map(([, reason]) => reason), ...chinese.lacks])
      expect(said).toMatch(/[\u4e00-\u9fff]/);
    await speak('en').catch(() => undefined);
  });
});

describe('a model file of the user', () => {
  const file = { name: 'mine', url: 'https://models.example/mine.gguf', bytes: 0 };

  it('has no size before its server was asked, and names its source', () => {
    const { download } = cpuWay(file, 4096);
    expect(download).toEqual({ from: 'models.example', bytes: null, known: 'reported' });
    expect(download && downloadText(download)).toBe(
      'Downloads a file from models.example, once. The server does not report its size.',
    );
  });

  it('keeps the known values where its server cannot be asked', async () => {
    const nowhere = cpuWay({ ...file, url: 'http://127.0.0.1:9/mine.gguf', bytes: 5_000_000 }, 4096);
    expect(await measured(nowhere)).toEqual(nowhere);
  });
});

describe('models for this tab', () => {
  it('are those that the GPU can run, the largest first, without duplicates', () => {
    const limits = {
      maxBufferSize: 2 ** 31,
      maxStorageBufferBindingSize: 2 ** 30,
      maxComputeWorkgroupStorageSize: 32_768,
      maxStorageBuffersPerShaderStage: 10,
    };
    const found = offersFor({ features: new Set(['shader-f16']), limits });
    const sizes = found.map(({ memoryMB }) => memoryMB ?? 0);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
    expect(offersFor(null)).toEqual([]);
  });

  it('include an 8B model only for a GPU that permits large buffers, in a machine with enough memory', () => {
    const limits = {
      maxBufferSize: 2 ** 32,
      maxStorageBufferBindingSize: 2 ** 30,
      maxComputeWorkgroupStorageSize: 32_768,
      maxStorageBuffersPerShaderStage: 10,
    };
    const largest = (maxBufferSize: number, deviceMemory?: number) =>
      offersFor({ features: new Set(['shader-f16']), limits: { ...limits, maxBufferSize } }, deviceMemory)[0]
        ?.id;
    expect(largest(2 ** 32, 32)).toBe('Qwen3-8B-q4f16_1-MLC');
    expect(largest(2 ** 32)).toBe('Qwen3-8B-q4f16_1-MLC'); // The browser does not report the memory.
    expect(largest(2 ** 32, 4)).toBe('Qwen3-4B-q4f16_1-MLC');
    expect(largest(2 ** 30, 32)).toBe('Qwen3-4B-q4f16_1-MLC');
  });
});

describe('models stored in this browser', () => {
  const found = waysOf(
    foundOf({ webgpu: 'able', chrome: 'absent', hasServer: true, hasEndpoint: false }),
    offers,
  );
  const folder = {
    kind: 'web-llm' as const,
    url: 'https://host/large/resolve/main/',
    name: 'large',
    bytes: 5,
  };

  it('come first and need no download; the one that suits this machine stays recommended', () => {
    const { ways } = withStored(found, [{ ...folder, isComplete: true }]);
    expect(ways[0]).toMatchObject({ name: 'large', download: null });
    expect(ways.filter(({ isRecommended }) => isRecommended).map(({ name }) => name)).toEqual(['fitting']);
  });

  it('are downloaded again when they are not complete', () => {
    const { ways } = withStored(found, [{ ...folder, isComplete: false }]);
    expect(ways.find(({ name }) => name === 'large')?.download).not.toBeNull();
  });

  it('include the files of the user', () => {
    const url = 'https://models.example/mine.gguf';
    const { ways } = withStored(found, [{ kind: 'wllama', url, name: 'mine', bytes: 5, isComplete: true }]);
    expect(ways[0]).toMatchObject({
      kind: 'wllama',
      name: 'mine',
      download: null,
      settings: { baseURL: url },
    });
  });
});
