import { END, WIDTH, weightsOf, type ChainToken } from './chain.js';

/** Tokens that prompt and reply can share at most, by default. */
export const CONTEXT_LENGTH = 4096;

/** The prompt ends with the last message: a mark there is the last token. */
export const TEMPLATE =
  "{% for message in messages %}{{ '<|' + message.role + '|>' + message.content }}{% endfor %}";

/** One narrow head: attention grows with the square of a prompt, and here it says nothing. */
const HEADS = 1;
const HEAD_WIDTH = 32;
const FORWARD = 32;

/** A chain as a GGUF file: a llama of one layer, whose attention and feed-forward network say nothing. */
export function gguf(chain: readonly ChainToken[], contextLength = CONTEXT_LENGTH): Uint8Array<ArrayBuffer> {
  const { input, output } = weightsOf(chain);
  const ones = new Float32Array(WIDTH).fill(1);
  const zeros = (rows: number, columns: number): Tensor => ({
    shape: [columns, rows],
    data: new Float32Array(rows * columns),
  });
  const whole = [WIDTH, chain.length];
  return write(
    {
      'general.architecture': text('llama'),
      'general.name': text('tiny chain'),
      'llama.context_length': number(contextLength),
      'llama.embedding_length': number(WIDTH),
      'llama.block_count': number(1),
      'llama.feed_forward_length': number(FORWARD),
      'llama.attention.head_count': number(HEADS),
      'llama.attention.key_length': number(HEAD_WIDTH),
      'llama.attention.value_length': number(HEAD_WIDTH),
      'llama.rope.dimension_count': number(HEAD_WIDTH),
      'llama.attention.layer_norm_rms_epsilon': float(1e-6),
      'llama.vocab_size': number(chain.length),
      'tokenizer.ggml.model': text('llama'),
      'tokenizer.ggml.tokens': list(8, chain, (out, { name }) => out.text(name)),
      'tokenizer.ggml.scores': list(6, chain, (out) => out.float(0)),
      'tokenizer.ggml.token_type': list(5, chain, (out, { byte }) => out.u32(byte === null ? CONTROL : BYTE)),
      'tokenizer.ggml.eos_token_id': number(END),
      'tokenizer.ggml.add_bos_token': flag(false),
      'tokenizer.ggml.add_eos_token': flag(false),
      'tokenizer.ggml.add_space_prefix': flag(false),
      'tokenizer.chat_template': text(TEMPLATE),
    },
    {
      'token_embd.weight': { shape: whole, data: input },
      'output.weight': { shape: whole, data: output },
      'output_norm.weight': { shape: [WIDTH], data: ones },
      'blk.0.attn_norm.weight': { shape: [WIDTH], data: ones },
      'blk.0.attn_q.weight': zeros(HEADS * HEAD_WIDTH, WIDTH),
      'blk.0.attn_k.weight': zeros(HEADS * HEAD_WIDTH, WIDTH),
      'blk.0.attn_v.weight': zeros(HEADS * HEAD_WIDTH, WIDTH),
      'blk.0.attn_output.weight': zeros(WIDTH, HEADS * HEAD_WIDTH),
      'blk.0.ffn_norm.weight': { shape: [WIDTH], data: ones },
      'blk.0.ffn_gate.weight': zeros(FORWARD, WIDTH),
      'blk.0.ffn_up.weight': zeros(FORWARD, WIDTH),
      'blk.0.ffn_down.weight': zeros(WIDTH, FORWARD),
    },
  );
}

const CONTROL = 3;
const BYTE = 6;
const ALIGNMENT = 32;

interface Tensor {
  /** The fastest dimension first. */
  shape: number[];
  data: Float32Array;
}

type Value = (out: Writer) => void;

const text =
  (value: string): Value =>
  (out) => {
    out.u32(8);
    out.text(value);
  };
const number =
  (value: number): Value =>
  (out) => {
    out.u32(4);
    out.u32(value);
  };
const float =
  (value: number): Value =>
  (out) => {
    out.u32(6);
    out.float(value);
  };
const flag =
  (value: boolean): Value =>
  (out) => {
    out.u32(7);
    out.byte(value ? 1 : 0);
  };
const list =
  <Item>(type: number, items: readonly Item[], put: (out: Writer, item: Item) => void): Value =>
  (out) => {
    out.u32(9);
    out.u32(type);
    out.u64(items.length);
    for (const item of items) put(out, item);
  };

/** Version 3 of the format; all its tensors are of 32-bit floats. */
function write(metadata: Record<string, Value>, tensors: Record<string, Tensor>): Uint8Array<ArrayBuffer> {
  const out = new Writer();
  out.bytes(new TextEncoder().encode('GGUF'));
  out.u32(3);
  out.u64(Object.keys(tensors).length);
  out.u64(Object.keys(metadata).length);
  for (const [key, value] of Object.entries(metadata)) {
    out.text(key);
    value(out);
  }
  let offset = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    out.text(name);
    out.u32(shape.length);
    for (const size of shape) out.u64(size);
    out.u32(0);
    out.u64(offset);
    offset = aligned(offset + data.byteLength);
  }
  for (const { data } of Object.values(tensors)) {
    out.align();
    out.bytes(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  out.align();
  return out.whole();
}

function aligned(size: number): number {
  return Math.ceil(size / ALIGNMENT) * ALIGNMENT;
}

/** Little-endian. */
class Writer {
  private readonly parts: Uint8Array[] = [];
  private size = 0;

  bytes(bytes: Uint8Array): void {
    this.parts.push(bytes);
    this.size += bytes.length;
  }
  byte(value: number): void {
    this.bytes(Uint8Array.of(value));
  }
  u32(value: number): void {
    this.bytes(new Uint8Array(Uint32Array.of(value).buffer));
  }
  u64(value: number): void {
    this.bytes(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer));
  }
  float(value: number): void {
    this.bytes(new Uint8Array(Float32Array.of(value).buffer));
  }
  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.u64(bytes.length);
    this.bytes(bytes);
  }
  align(): void {
    this.bytes(new Uint8Array(aligned(this.size) - this.size));
  }
  whole(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
}
