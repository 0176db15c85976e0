import { CONTEXT_LENGTH, TEMPLATE } from './gguf.js';
import { chainOf, END, WIDTH, weightsOf, type ChainToken } from './chain.js';
import { FLOAT, INT64, message, modelOf, node, tensor, value, type Field } from './onnx-graph.js';

/** A chain as the files of a model for transformers.js, by their names: two products of tables, and a tokenizer of bytes. */
export function onnxFiles(chain: readonly ChainToken[]): Map<string, Uint8Array<ArrayBuffer>> {
  return new Map([
    ['config.json', json(config(chain))],
    ['generation_config.json', json({ eos_token_id: END, do_sample: true, top_k: 0 })],
    ['tokenizer.json', json(tokenizer(chain))],
    ['tokenizer_config.json', json(tokenizerConfig())],
    ['onnx/model.onnx', onnx(chain)],
  ]);
}

/**
 * A model that gives each byte of a text the vector of its row, of as many numbers as there are in each: as the files of an embedding model
 * for transformers.js, which makes the mean of them.
 */
export function embeddingFiles(rows: readonly Float32Array[]): Map<string, Uint8Array<ArrayBuffer>> {
  const chain = chainOf([]); // bytes and marks
  const width = rows[0]?.length ?? 0;
  const vectors = new Float32Array(chain.length * width);
  for (const [byte, row] of rows.entries()) vectors.set(row, byte * width);
  const graph = message([
    [1, node('Gather', ['vectors', 'input_ids'], 'last_hidden_state')],
    [2, 'bytes'],
    [5, tensor('vectors', [chain.length, width], vectors)],
    [11, value('input_ids', INT64, ['batch', 'length'])],
    [12, value('last_hidden_state', FLOAT, ['batch', 'length', width])],
  ]);
  return new Map([
    ['config.json', json({ model_type: 'bert', architectures: ['BertModel'], hidden_size: width })],
    ['tokenizer.json', json(tokenizer(chain))],
    ['tokenizer_config.json', json({ ...tokenizerConfig(), pad_token: '<|end|>' })],
    ['onnx/model.onnx', modelOf(graph)],
  ]);
}

/**
 * A cross-encoder as the files of a model for transformers.js: its logit is the number of different bytes that both texts of a pair contain.
 * The library loads the quantized file by default; this one contains numbers of 32 bits.
 */
export function crossEncoderFiles(): Map<string, Uint8Array<ArrayBuffer>> {
  const chain = chainOf([]); // bytes and marks
  const size = chain.length;
  const isByte = (row: number): boolean => chain[row]?.byte !== null;
  const oneHot = Float32Array.from({ length: size * size }, (_, at) =>
    at % (size + 1) === 0 && isByte(Math.floor(at / size)) ? 1 : 0,
  );
  const inText = { axes: [1], keepdims: 0 };
  const graph = message([
    [1, node('Gather', ['bytes', 'input_ids'], 'rows')],
    [1, node('Gather', ['flags', 'attention_mask'], 'present')],
    [1, node('Gather', ['flags', 'token_type_ids'], 'second')],
    [1, node('Mul', ['rows', 'present'], 'both')],
    [1, node('Mul', ['both', 'second'], 'second_rows')],
    [1, node('Sub', ['both', 'second_rows'], 'first_rows')],
    [1, node('ReduceMax', ['first_rows'], 'first_bytes', inText)],
    [1, node('ReduceMax', ['second_rows'], 'second_bytes', inText)],
    [1, node('Mul', ['first_bytes', 'second_bytes'], 'common')],
    [1, node('MatMul', ['common', 'ones'], 'logits')],
    [2, 'pairs'],
    [5, tensor('bytes', [size, size], oneHot)],
    [5, tensor('flags', [2, 1], Float32Array.of(0, 1))],
    [5, tensor('ones', [size, 1], new Float32Array(size).fill(1))],
    ...['input_ids', 'attention_mask', 'token_type_ids'].map((name): Field => [
      11,
      value(name, INT64, ['batch', 'length']),
    ]),
    [12, value('logits', FLOAT, ['batch', 1])],
  ]);
  const pair = [sequence('A', 0), { SpecialToken: { id: '<|end|>', type_id: 0 } }, sequence('B', 1)];
  const post_processor = {
    type: 'TemplateProcessing',
    single: [sequence('A', 0)],
    pair,
    special_tokens: { '<|end|>': { id: '<|end|>', ids: [END], tokens: ['<|end|>'] } },
  };
  const settings = { ...tokenizerConfig(), tokenizer_class: 'BertTokenizer', pad_token: '<|end|>' };
  return new Map([
    ['config.json', json({ model_type: 'bert', architectures: ['BertForSequenceClassification'] })],
    ['tokenizer.json', json({ ...tokenizer(chain), post_processor })],
    ['tokenizer_config.json', json(settings)],
    ['onnx/model_quantized.onnx', modelOf(graph)],
  ]);
}

function sequence(id: string, type: number): object {
  return { Sequence: { id, type_id: type } };
}

function config(chain: readonly ChainToken[]): object {
  return {
    model_type: 'llama',
    architectures: ['LlamaForCausalLM'],
    vocab_size: chain.length,
    hidden_size: WIDTH,
    num_hidden_layers: 0,
    num_attention_heads: 4,
    num_key_value_heads: 4,
    max_position_embeddings: CONTEXT_LENGTH,
    eos_token_id: END,
  };
}

/** A tokenizer of bytes and marks, as the content of `tokenizer.json`. */
export function tokenizer(chain: readonly ChainToken[]): object {
  const marks = chain.flatMap(({ name, byte }, id) => (byte === null ? [{ id, content: name }] : []));
  return {
    version: '1.0',
    added_tokens: marks.map((mark) => ({
      ...mark,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    decoder: {
      type: 'Sequence',
      decoders: [
        // The part after the byte distinguishes the tokens of a saying.
        { type: 'Replace', pattern: { Regex: '(<0x[0-9A-F]{2}>)[0-9.]+' }, content: '$1' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
      ],
    },
    model: {
      type: 'BPE',
      byte_fallback: true,
      vocab: Object.fromEntries(chain.map(({ name }, id) => [name, id])),
      merges: [],
    },
  };
}

/** The content of `tokenizer_config.json`. */
export function tokenizerConfig(): object {
  return {
    tokenizer_class: 'PreTrainedTokenizerFast',
    eos_token: '<|end|>',
    model_max_length: CONTEXT_LENGTH,
    clean_up_tokenization_spaces: false,
    chat_template: TEMPLATE,
  };
}

export function json(value: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The graph: each token's vector, and how it speaks for each token to be next. */
function onnx(chain: readonly ChainToken[]): Uint8Array<ArrayBuffer> {
  const { input, output } = weightsOf(chain);
  const graph = message([
    [1, node('Gather', ['vectors', 'input_ids'], 'state')],
    [1, node('MatMul', ['state', 'speaks'], 'logits')],
    [2, 'chain'],
    [5, tensor('vectors', [chain.length, WIDTH], input)],
    [5, tensor('speaks', [WIDTH, chain.length], transposed(output, chain.length))],
    [11, value('input_ids', INT64, ['batch', 'length'])],
    [12, value('logits', FLOAT, ['batch', 'length', chain.length])],
  ]);
  return modelOf(graph);
}

function transposed(rows: Float32Array, count: number): Float32Array {
  return rows.map((_, at) => rows[(at % count) * WIDTH + Math.floor(at / count)] ?? 0);
}
