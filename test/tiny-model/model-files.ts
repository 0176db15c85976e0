/**
 * The folder of the tiny model, as web-llm reads it: a tokenizer whose tokens are the 256 bytes, eight marks and some words, the settings
 * of the chat, and four megabytes of weights that are never read. What makes it a model is its library, see `library/model.c`.
 */

/** Tokens 256 and up. The model repeats the text between `<|copy|>` and `<|copyend|>`. */
const MARKS = [
  '<|im_start|>',
  '<|im_end|>',
  '<|copy|>',
  '<|copyend|>',
  '<|endoftext|>',
  '<|spare1|>',
  '<|spare2|>',
  '<|spare3|>',
];
const END_OF_REPLY = 257;
const FIRST_WORD = 256 + MARKS.length;

/** Tokens 264 to 319: tokens of more than one letter, some across the borders of strings, as large models have them. */
const WORDS = (
  '{" ": ":" "," "}, "}} "}]} ]}} }]} }, [" ["{ {} ," ":{" ":[ ":[{" "]," ":1 "] ' +
  'thought category answer commands command_name args path content line_number start_line end_line task_id ' +
  'dependent_task_ids instruction assignee question options Editor. Plan. RoleZero. append_task finish_current_task ' +
  'reply_to_human open_file search create_file insert edit ing tion \\n \\" http:// .html class 42'
).split(' ');

/** Tokens that prompt and reply share. */
export const CONTEXT_WINDOW = 4096;

/** What makes the model reply with exactly this. */
export function saying(reply: string): string {
  return `<|copy|>${reply}<|copyend|>`;
}

/** Contents by name. */
export function modelFiles(): Map<string, Uint8Array<ArrayBuffer>> {
  const shards = ['a', 'b', 'c', 'd'];
  return new Map([
    ['mlc-chat-config.json', json(chatConfig())],
    ['tokenizer.json', json(tokenizer())],
    ['tensor-cache.json', json(weights(shards))],
    ...shards.map((name): [string, Uint8Array<ArrayBuffer>] => [
      `params_${name}.bin`,
      new Uint8Array(BYTES_OF_SHARD),
    ]),
  ]);
}

const BYTES_OF_SHARD = 2 ** 20;

function weights(names: readonly string[]): object {
  return {
    metadata: { ParamSize: names.length, ParamBytes: names.length * BYTES_OF_SHARD, BitsPerParam: 32 },
    records: names.map((name) => ({
      dataPath: `params_${name}.bin`,
      format: 'raw-shard',
      nbytes: BYTES_OF_SHARD,
      records: [
        {
          name,
          shape: [BYTES_OF_SHARD / 4],
          dtype: 'float32',
          format: 'raw',
          nbytes: BYTES_OF_SHARD,
          byteOffset: 0,
        },
      ],
    })),
  };
}

function chatConfig(): object {
  return {
    version: '0.1.0',
    model_type: 'tiny',
    quantization: 'q0f32',
    vocab_size: FIRST_WORD + WORDS.length,
    context_window_size: CONTEXT_WINDOW,
    sliding_window_size: -1,
    prefill_chunk_size: 256,
    attention_sink_size: -1,
    tensor_parallel_shards: 1,
    temperature: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    repetition_penalty: 1,
    top_p: 1,
    tokenizer_files: ['tokenizer.json'],
    tokenizer_info: {
      token_postproc_method: 'byte_level',
      prepend_space_in_encode: false,
      strip_space_in_decode: false,
    },
    conv_template: {
      name: 'chatml',
      system_template: '<|im_start|>system\n{system_message}<|im_end|>\n',
      system_message: 'You are a helpful assistant.',
      system_prefix_token_ids: null,
      add_role_after_system_message: true,
      roles: { user: '<|im_start|>user', assistant: '<|im_start|>assistant', tool: '<|im_start|>tool' },
      role_templates: {
        user: '{user_message}',
        assistant: '{assistant_message}',
        tool: '{tool_message}',
      },
      messages: [],
      seps: ['<|im_end|>\n'],
      role_content_sep: '\n',
      role_empty_sep: '\n',
      stop_str: ['<|im_end|>'],
      stop_token_ids: [END_OF_REPLY],
      function_string: '',
      use_function_calling: false,
    },
    pad_token_id: 0,
    bos_token_id: 256,
    eos_token_id: [END_OF_REPLY],
  };
}

function tokenizer(): object {
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false };
  const letters = lettersOfBytes().map((letter, byte): [string, number] => [letter, byte]);
  const marks = MARKS.map((content, index): [string, number] => [content, 256 + index]);
  const words = WORDS.map((content, index): [string, number] => [content, FIRST_WORD + index]);
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [...marks, ...words].map(([content, id]) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: id < FIRST_WORD,
    })),
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries([...letters, ...marks, ...words]),
      merges: [],
    },
  };
}

/** Byte-level tokenizers write each byte as a visible letter (GPT-2): itself where it is one, else one from U+0100 on. */
function lettersOfBytes(): string[] {
  const visible = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(visible(byte) ? byte : next++));
}

function json(value: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}
