import { amount } from './goal-table.js';

export type Device = 'webgpu' | 'wasm';

/** The results of `npm run bench:gpu`. */
export interface GpuFigures {
  machine: string;
  browser: string;
  date: string;
  /** The second one with numbers of 16 bits, where the browser offers them only with a flag. */
  runs: GpuResult[];
}

export interface GpuResult {
  adapter: { vendor: string; features: string[] } & Record<string, unknown>;
  /** Milliseconds per text of 128 tokens, and the largest difference between the numbers of both devices. */
  encoder: { webgpu: number; wasm: number; difference: number };
  /** Whether a small model says the same on both devices. */
  sameReply: boolean;
  decoders: DecoderRow[];
}

export interface DecoderRow {
  model: string;
  device: Device;
  /** Format of the weights, and of the other numbers. */
  dtype: string;
  /** Seconds until the model is ready, without its download. */
  load: number;
  /** Seconds until the first token, for prompts of so many tokens. */
  prompts: { tokens: number; firstToken: number }[];
  /** After the longest prompt. */
  tokensPerSecond: number;
}

/** The section of `docs/benchmarks.md` about models on a GPU. */
export function gpuSection(figures: GpuFigures | null): string[] {
  if (figures === null) return [];
  const { machine, browser, date, runs } = figures;
  const rows = runs.flatMap(({ decoders }) => decoders);
  const lengths = [...new Set(rows.flatMap(({ prompts }) => prompts.map(({ tokens }) => tokens)))];
  return [
    '## Models on a GPU',
    `By \`npm run bench:gpu\` in a worker of ${browser} on ${machine}; ${date}. The models of transformers.js have the shapes of Qwen2.5 and random weights, which cost as much as real ones. Milliseconds until the first token of a reply, and its tokens per second.`,
    [
      `| | on | numbers | ${lengths.map((tokens) => `prompt of ${amount(tokens)}`).join(' | ')} | tokens/s |`,
      `|---|---|---|${'--:|'.repeat(lengths.length + 1)}`,
      ...rows.map((row) => decoderRow(row, lengths)),
    ].join('\n'),
    encoderText(runs),
  ];
}

function decoderRow(row: DecoderRow, lengths: readonly number[]): string {
  const cells = lengths.map((tokens) => {
    const prompt = row.prompts.find((each) => each.tokens === tokens);
    return prompt === undefined ? '' : amount(prompt.firstToken * 1000);
  });
  const device = row.device === 'webgpu' ? 'GPU' : 'processor, one thread';
  return `| ${row.model} | ${device} | ${row.dtype} | ${cells.join(' | ')} | ${amount(row.tokensPerSecond)} |`;
}

function encoderText(runs: readonly GpuResult[]): string {
  const between = (values: readonly number[]): string =>
    [...new Set([Math.min(...values), Math.max(...values)].map(amount))].join(' to ');
  const encoders = runs.map(({ encoder }) => encoder);
  const [gpu, processor] = [encoders.map(({ webgpu }) => webgpu), encoders.map(({ wasm }) => wasm)];
  const difference = Math.max(...encoders.map((each) => each.difference));
  const same = runs.every(({ sameReply }) => sameReply) ? 'the same' : 'different';
  return `A model of the shape of all-MiniLM-L6 reads a text of 128 tokens in ${between(gpu)} ms on the GPU and ${between(processor)} ms on the processor. The numbers of both vectors differ by at most ${difference.toExponential(0)}, and a small model gives ${same} replies on both.`;
}
