// cspell:words Unsqueeze Softmax Gelu
import { chainOf } from '../../tiny-chain/chain.js';
import {
  FLOAT,
  FLOAT16,
  INT32,
  INT64,
  message,
  modelOf,
  node,
  tensorIn,
  tensorOf,
  UINT8,
  value,
  type Attributes,
  type Field,
  type TensorPlace,
} from '../../tiny-chain/onnx-graph.js';
import { json, tokenizer, tokenizerConfig } from '../../tiny-chain/onnx.js';

/** Not yet in TypeScript's library. */
declare const Float16Array: new (numbers: Float32Array) => { buffer: ArrayBuffer };

/**
 * Models with the shapes of real ones and random weights, as files for transformers.js: what they say means nothing, what they cost is
 * real. A token is a byte.
 */
export type ModelFiles = Map<string, Uint8Array<ArrayBuffer>>;

export interface EncoderShape {
  layers: number;
  width: number;
  heads: number;
  inner: number;
  vocabulary: number;
}

/** The shape of all-MiniLM-L6. */
export const MINI_LM: EncoderShape = { layers: 6, width: 384, heads: 12, inner: 1_536, vocabulary: 30_522 };

export const TINY_ENCODER: EncoderShape = { layers: 1, width: 64, heads: 2, inner: 64, vocabulary: 512 };

export interface DecoderShape extends EncoderShape {
  /** Heads of keys and values. */
  pairs: number;
}

/** The shape of Qwen2.5-0.5B. */
export const QWEN_05B: DecoderShape = {
  layers: 24,
  width: 896,
  heads: 14,
  pairs: 2,
  inner: 4_864,
  vocabulary: 151_936,
};
/** The shape of Qwen2.5-1.5B. */
export const QWEN_15B: DecoderShape = {
  layers: 28,
  width: 1_536,
  heads: 12,
  pairs: 2,
  inner: 8_960,
  vocabulary: 151_936,
};
/** Small enough to compare the replies of two devices. */
export const SMALL: DecoderShape = {
  layers: 2,
  width: 128,
  heads: 4,
  pairs: 2,
  inner: 256,
  vocabulary: 512,
};

const LONGEST = 4_096;

/** A BERT with numbers of 32 bits: `fp32`. */
export function encoderFiles(shape: EncoderShape): ModelFiles {
  const { layers, width, heads, inner, vocabulary } = shape;
  const graph = new GraphWriter('model.onnx_data');
  const { op, floats, integers } = graph;
  const size = width / heads;
  const deviation = 1 / Math.sqrt(width);
  const linear = (name: string, from: string, columns: number, rows = width): string => {
    const product = op('MatMul', [from, floats(`${name}_w`, [rows, columns], deviation)], `${name}_p`);
    return op('Add', [product, floats(`${name}_b`, [columns], 0.02)], name);
  };
  const normal = (name: string, from: string): string => {
    const weights = [floats(`${name}_w`, [width], 0, 1), floats(`${name}_b`, [width], 0.02)];
    return op('LayerNormalization', [from, ...weights], name, { axis: -1, epsilon: { real: 1e-12 } });
  };
  const words = op('Gather', [floats('words', [vocabulary, width], 0.05), 'input_ids'], 'words_in');
  const mask = op('Cast', ['attention_mask'], 'mask_float', { to: FLOAT });
  const missing = op('Sub', [floats('one', [1], 0, 1), mask], 'missing');
  const penalty = op('Mul', [missing, floats('far', [1], 0, -10_000)], 'penalty');
  const bias = op('Unsqueeze', [penalty, integers('of_pairs', [1, 2])], 'bias');
  let state = normal('first_norm', words);
  for (let layer = 0; layer < layers; layer++) {
    const at = (name: string): string => `${layer}_${name}`;
    const split = (name: string, order: number[]): string => {
      const parts = op(
        'Reshape',
        [linear(at(name), state, width), integers('heads', [0, 0, heads, size])],
        at(`${name}_parts`),
      );
      return op('Transpose', [parts], at(`${name}_heads`), { perm: order });
    };
    const [query, key, content] = [
      split('q', [0, 2, 1, 3]),
      split('k', [0, 2, 3, 1]),
      split('v', [0, 2, 1, 3]),
    ];
    const scores = op('MatMul', [query, key], at('scores'));
    const scaled = op('Mul', [scores, floats('scale', [1], 0, 1 / Math.sqrt(size))], at('scaled'));
    const weights = op('Softmax', [op('Add', [scaled, bias], at('biased'))], at('weights'), { axis: -1 });
    const mixed = op('Transpose', [op('MatMul', [weights, content], at('mixed'))], at('mixed_t'), {
      perm: [0, 2, 1, 3],
    });
    const whole = op('Reshape', [mixed, integers('whole', [0, 0, width])], at('whole'));
    const attended = op('Add', [state, linear(at('o'), whole, width)], at('attended'));
    const between = normal(at('norm'), attended);
    const active = op('Gelu', [linear(at('up'), between, inner)], at('active'), {}, 'com.microsoft');
    const added = op('Add', [between, linear(at('down'), active, width, inner)], at('added'));
    state = normal(at('last'), added);
  }
  op('Identity', [state], 'last_hidden_state');
  const inputs = ['input_ids', 'attention_mask'].map((name) => value(name, INT64, ['batch', 'length']));
  const model = graph.model(inputs, [value('last_hidden_state', FLOAT, ['batch', 'length', width])]);
  return new Map([
    [
      'config.json',
      json({ ...EXTERNAL_DATA, model_type: 'bert', architectures: ['BertModel'], hidden_size: width }),
    ],
    ['tokenizer.json', json(tokenizer(chainOf([])))],
    ['tokenizer_config.json', json({ ...tokenizerConfig(), pad_token: '<|end|>' })],
    ['onnx/model.onnx', model],
    ['onnx/model.onnx_data', graph.data()],
  ]);
}

const EXTERNAL_DATA = { 'transformers.js_config': { use_external_data_format: true } };

/**
 * A Llama with weights of four bits in blocks of 32, and a key-value cache. The other numbers have 16 bits (`q4f16`), or 32 (`q4`). It says
 * small letters and spaces only, without an end.
 */
export function decoderFiles(shape: DecoderShape, dtype: 'q4f16' | 'q4'): ModelFiles {
  const { layers, width, heads, pairs, inner, vocabulary } = shape;
  const size = width / heads;
  const file = `model_${dtype}.onnx`;
  const graph = new GraphWriter(`${file}_data`);
  const { op, integers } = graph;
  const type = dtype === 'q4' ? FLOAT : FLOAT16;
  const reals = (name: string, sizes: number[], deviation: number, mean = 0): string =>
    dtype === 'q4' ? graph.floats(name, sizes, deviation, mean) : graph.halves(name, sizes, deviation, mean);
  const linear = (name: string, from: string, columns: number, rows = width): string => {
    const blocks = rows / BLOCK;
    const weights = graph.bytes(`${name}_w`, [columns, blocks, BLOCK / 2]);
    // Whole numbers from -8 to 7 have a standard deviation of 4.6.
    const scales = reals(`${name}_s`, [columns * blocks], 0, 1 / (4.6 * Math.sqrt(rows)));
    const attributes = { K: rows, N: columns, bits: 4, block_size: BLOCK };
    return op('MatMulNBits', [from, weights, scales], name, attributes, 'com.microsoft');
  };
  const normal = (name: string, from: string): string =>
    op('SimplifiedLayerNormalization', [from, reals(`${name}_w`, [width], 0, 1)], name, {
      axis: -1,
      epsilon: { real: 1e-6 },
      stash_type: 1,
    });

  const known = op(
    'Sub',
    [
      op('ReduceSum', ['attention_mask', integers('one', [1])], 'count', { keepdims: 0 }),
      integers('one', [1]),
    ],
    'known_long',
  );
  const lengths = op('Cast', [known], 'lengths', { to: INT32 });
  const longest = op(
    'Gather',
    [op('Shape', ['attention_mask'], 'mask_shape'), graph.integer('first', 1)],
    'longest_long',
  );
  const total = op('Cast', [longest], 'total', { to: INT32 });
  const angles = turns(size);
  const [cosines, sines] = [Math.cos, Math.sin].map((of, at) =>
    graph.given(`turn_${at}`, type, [LONGEST, size / 2], angles.map(of)),
  );

  let state = op('Gather', [reals('words', [vocabulary, width], 0.7), 'input_ids'], 'words_in');
  const caches: { inputs: Uint8Array<ArrayBuffer>[]; outputs: Uint8Array<ArrayBuffer>[] } = {
    inputs: [],
    outputs: [],
  };
  for (let layer = 0; layer < layers; layer++) {
    const at = (name: string): string => `${layer}_${name}`;
    const [past, present] = ['past_key_values', 'present'].map((of) =>
      ['key', 'value'].map((kind) => `${of}.${layer}.${kind}`),
    );
    const cache = (length: string) => (name: string) =>
      value(name, type, ['batch_size', pairs, length, size]);
    caches.inputs.push(...(past ?? []).map(cache('past_sequence_length')));
    caches.outputs.push(...(present ?? []).map(cache('total_sequence_length')));
    const from = normal(at('norm'), state);
    const parts = [
      linear(at('q'), from, width),
      linear(at('k'), from, pairs * size),
      linear(at('v'), from, pairs * size),
    ];
    const attention = { num_heads: heads, kv_num_heads: pairs, do_rotary: 1, rotary_interleaved: 0 };
    const inputs = [...parts, ...(past ?? []), lengths, total, cosines ?? '', sines ?? ''];
    const mixed = op(
      'GroupQueryAttention',
      inputs,
      [at('mixed'), ...(present ?? [])],
      attention,
      'com.microsoft',
    );
    const attended = op('Add', [state, linear(at('o'), mixed, width)], at('attended'));
    const between = normal(at('between'), attended);
    const gate = linear(at('gate'), between, inner);
    const active = op('Mul', [gate, op('Sigmoid', [gate], at('sigmoid'))], at('active'));
    const passed = op('Mul', [active, linear(at('up'), between, inner)], at('passed'));
    state = op('Add', [attended, linear(at('down'), passed, width, inner)], at('added'));
  }
  const number = op(
    'Neg',
    [op('Unsqueeze', ['num_logits_to_keep', integers('front', [0])], 'number')],
    'from_end',
  );
  const last = op('Slice', [state, number, integers('end', [LONGEST]), integers('axis', [1])], 'last');
  const scores = linear('scores', normal('final', last), vocabulary);
  const said = op('Add', [scores, graph.given('letters', type, [vocabulary], letters(vocabulary))], 'said');
  op('Cast', [said], 'logits', { to: FLOAT });
  const model = graph.model(
    [
      ...['input_ids', 'attention_mask'].map((name) => value(name, INT64, ['batch_size', `${name}_length`])),
      value('num_logits_to_keep', INT64, []),
      ...caches.inputs,
    ],
    [value('logits', FLOAT, ['batch_size', 'last', vocabulary]), ...caches.outputs],
  );
  return new Map([
    ['config.json', json(decoderConfig(shape))],
    ['generation_config.json', json({ eos_token_id: 256, do_sample: false })],
    ['tokenizer.json', json(tokenizer(chainOf([])))],
    ['tokenizer_config.json', json(tokenizerConfig())],
    [`onnx/${file}`, model],
    [`onnx/${file}_data`, graph.data()],
  ]);
}

const BLOCK = 32;

function decoderConfig({ layers, width, heads, pairs, inner, vocabulary }: DecoderShape): object {
  return {
    ...EXTERNAL_DATA,
    model_type: 'llama',
    architectures: ['LlamaForCausalLM'],
    vocab_size: vocabulary,
    hidden_size: width,
    intermediate_size: inner,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: pairs,
    max_position_embeddings: LONGEST,
    eos_token_id: 256,
  };
}

/** The angle of each pair of numbers of a head at each position. */
function turns(size: number): Float32Array {
  const half = size / 2;
  return Float32Array.from({ length: LONGEST * half }, (_, at) => {
    const position = Math.floor(at / half);
    return position / 10_000 ** ((at % half) / half);
  });
}

/** Added to the scores, so that only small letters and spaces are said. */
function letters(vocabulary: number): Float32Array {
  const [space, a, z] = [32, 97, 122];
  return Float32Array.from({ length: vocabulary }, (_, token) =>
    token === space || (token >= a && token <= z) ? 0 : -30_000,
  );
}

/** Tensors of up to this many bytes stand in the graph itself. */
const SMALL_TENSOR = 64;

/** Collects the nodes of a graph, and the numbers of its tensors as the content of another file. */
class GraphWriter {
  readonly #file: string;
  readonly #nodes: Field[] = [];
  readonly #tensors = new Map<string, TensorPlace>();
  readonly #small = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];
  #length = 0;
  #seed = 1;

  constructor(file: string) {
    this.#file = file;
  }

  /** Adds a node and returns its first output. */
  readonly op = (
    operator: string,
    inputs: readonly string[],
    outputs: string | readonly string[],
    attributes: Attributes = {},
    domain: '' | 'com.microsoft' = '',
  ): string => {
    this.#nodes.push([1, node(operator, inputs, outputs, attributes, domain)]);
    return [outputs].flat()[0] ?? '';
  };

  /** Random numbers with this mean and standard deviation. */
  readonly floats = (name: string, sizes: readonly number[], deviation: number, mean = 0): string => {
    if (this.#tensors.has(name)) return name;
    return this.given(name, FLOAT, sizes, this.#random(product(sizes), deviation, mean));
  };

  readonly halves = (name: string, sizes: readonly number[], deviation: number, mean = 0): string =>
    this.given(name, FLOAT16, sizes, this.#random(product(sizes), deviation, mean));

  readonly integers = (name: string, values: readonly number[]): string =>
    this.#integers(name, [values.length], values);

  readonly integer = (name: string, of: number): string => this.#integers(name, [], [of]);

  /** Random bytes. */
  bytes(name: string, sizes: readonly number[]): string {
    const length = product(sizes);
    const words = new Uint32Array(Math.ceil(length / 4));
    for (let at = 0; at < words.length; at++) words[at] = this.#next();
    return this.#add(name, UINT8, sizes, new Uint8Array(words.buffer, 0, length));
  }

  given(name: string, type: number, sizes: readonly number[], numbers: Float32Array): string {
    const stored = type === FLOAT16 ? new Float16Array(numbers) : new Float32Array(numbers);
    return this.#add(name, type, sizes, new Uint8Array(stored.buffer));
  }

  model(
    inputs: readonly Uint8Array<ArrayBuffer>[],
    outputs: readonly Uint8Array<ArrayBuffer>[],
  ): Uint8Array<ArrayBuffer> {
    return modelOf(
      message([
        ...this.#nodes,
        [2, 'random'],
        ...[...this.#tensors.values()].map((place): Field => [5, tensorIn(this.#file, place)]),
        ...[...this.#small.values()].map((each): Field => [5, each]),
        ...inputs.map((each): Field => [11, each]),
        ...outputs.map((each): Field => [12, each]),
      ]),
    );
  }

  /** The content of the other file. */
  data(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  #integers(name: string, sizes: readonly number[], values: readonly number[]): string {
    return this.#add(name, INT64, sizes, new Uint8Array(BigInt64Array.from(values, BigInt).buffer));
  }

  #add(name: string, type: number, sizes: readonly number[], bytes: Uint8Array<ArrayBuffer>): string {
    // The runtime reads sizes and factors before it opens other files.
    if (bytes.length <= SMALL_TENSOR) {
      this.#small.set(name, tensorOf(name, type, sizes, bytes));
      return name;
    }
    this.#tensors.set(name, { name, type, sizes, offset: this.#length, length: bytes.length });
    const padding = new Uint8Array(-bytes.length & 63);
    this.#parts.push(bytes, padding);
    this.#length += bytes.length + padding.length;
    return name;
  }

  /** Evenly distributed numbers. */
  #random(count: number, deviation: number, mean: number): Float32Array {
    const numbers = new Float32Array(count).fill(mean);
    if (deviation === 0) return numbers;
    const width = deviation * Math.sqrt(12);
    for (let at = 0; at < count; at++) numbers[at] = mean + width * (this.#next() / 2 ** 32 - 0.5);
    return numbers;
  }

  /** The next number of 32 bits, of a shift register. */
  #next(): number {
    this.#seed ^= this.#seed << 13;
    this.#seed ^= this.#seed >>> 17;
    this.#seed ^= this.#seed << 5;
    return this.#seed >>> 0;
  }
}

function product(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all * size, 1);
}
