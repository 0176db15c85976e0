#include "runtime.h"

/**
 * The "model". It says what stands between the last `<|copy|>` and `<|copyend|>` of its prompt; without that it babbles: its logits are
 * noise that follows from the last tokens alone, with a liking for letters and more for words and for what ends a string, a list or an
 * object.
 */
#define END_OF_REPLY 257
#define COPY 258
#define COPY_END 259

/** A logit this much higher is as good as certain. */
#define CERTAIN 25.0f
#define LIKED 2.0f
#define LIKED_MOST 5.0f

/** Everything read and said so far stands where another model has keys and values. */
typedef struct {
  Object header;
  i32 *tokens;
  i32 length, capacity;
  i32 end_of_prompt;
} KvCache;

void free_cache(void *cache) {
  release_memory(((KvCache *)cache)->tokens);
}

/** The runtime reads the model's name, its windows and its weights from here. */
static NATIVE(metadata) {
  static const char text[] =
      "{\"model_type\":\"tiny\",\"quantization\":\"q0f32\",\"context_window_size\":4096,\"sliding_window_size\":-1,"
      "\"attention_sink_size\":-1,\"prefill_chunk_size\":256,\"kv_state_kind\":\"kv_cache\","
      "\"params\":[{\"name\":\"a\",\"shape\":[16],\"dtype\":\"float32\"},{\"name\":\"b\",\"shape\":[16],\"dtype\":\"float32\"},"
      "{\"name\":\"c\",\"shape\":[16],\"dtype\":\"float32\"},{\"name\":\"d\",\"shape\":[16],\"dtype\":\"float32\"}]}";
  return_object(result, STRING, new_string(STRING, text, sizeof text - 1));
  return 0;
}

/** (token ids, weights): an embedding is the id itself. */
static NATIVE(embed) {
  const Tensor *ids = tensor_in(arguments);
  i64 shape[2] = {ids->shape[0], 1};
  Tensor *embeddings = new_tensor(shape, 2, 2, 32);
  for (u32 i = 0; i < shape[0]; i++) ((f32 *)embeddings->data)[i] = (f32)((i32 *)ids->data)[i];
  return_object(result, TENSOR, embeddings);
  return 0;
}

static u32 noise(u32 seed) {
  seed ^= seed << 13;
  seed ^= seed >> 17;
  return seed ^ (seed << 5);
}

static void babble(const KvCache *cache, f32 *logits) {
  u32 seed = 2166136261u;
  for (i32 i = cache->length > 8 ? cache->length - 8 : 0; i < cache->length; i++)
    seed = (seed ^ (u32)cache->tokens[i]) * 16777619u;
  seed |= 1;
  for (u32 token = 0; token < VOCABULARY; token++) {
    seed = noise(seed);
    logits[token] = (f32)(seed & 0xffff) / 65536.0f * 2.0f;
  }
  i32 last = cache->tokens[cache->length - 1];
  for (u32 letter = '!'; letter <= '~'; letter++) logits[letter] += LIKED;
  for (const char *end = "\"}"; *end; end++) logits[(u8)*end] += LIKED_MOST - LIKED;
  for (u32 word = FIRST_WORD; word < VOCABULARY; word++) logits[word] += LIKED_MOST;
  // Nothing ends before it has begun: otherwise most lists would be empty, and many replies.
  if (last != '[') logits[']'] += LIKED_MOST - LIKED;
  if (cache->length > cache->end_of_prompt) logits[END_OF_REPLY] += LIKED_MOST;
}

/** The token that comes next in what is to be copied; -1 when there is nothing to copy. */
static i32 copied(const KvCache *cache) {
  i32 start = cache->end_of_prompt - 1;
  while (start >= 0 && cache->tokens[start] != COPY) start--;
  if (start < 0) return -1;
  i32 next = start + 1 + (cache->length - cache->end_of_prompt);
  for (i32 i = start + 1; i <= next; i++)
    if (i >= cache->end_of_prompt || cache->tokens[i] == COPY_END) return END_OF_REPLY;
  return cache->tokens[next];
}

/** (embeddings, cache, weights): reads some tokens and gives the logits of the next one, and the cache. */
static NATIVE(forward) {
  const Tensor *embeddings = tensor_in(arguments);
  KvCache *cache = (KvCache *)arguments[1].pointer;
  u32 added = elements(embeddings->shape, embeddings->dimensions);
  if (cache->length + (i32)added > cache->capacity) return fail("The cache is full.");
  for (u32 i = 0; i < added; i++) cache->tokens[cache->length++] = (i32)((f32 *)embeddings->data)[i];
  if (added > 1) cache->end_of_prompt = cache->length;

  i64 shape[3] = {1, 1, VOCABULARY};
  Tensor *logits = new_tensor(shape, 3, 2, 32);
  babble(cache, (f32 *)logits->data);
  i32 next = copied(cache);
  if (next >= 0) ((f32 *)logits->data)[next] += CERTAIN;

  Value both[2];
  return_object(both, TENSOR, logits);
  return_object(both + 1, KV_CACHE, cache);
  return_object(result, ARRAY, array_of(both, 2));
  release(logits);
  return 0;
}

// ---- the cache ----------------------------------------------------------------------------------------------------------------------

/** (sequences, tokens, chunk, page, sliding window), each a shape */
static NATIVE(create_cache) {
  KvCache *cache = new_object(KV_CACHE, sizeof(KvCache));
  cache->capacity = (i32)((Shape *)arguments[1].pointer)->data[0] + 16;
  cache->tokens = allocate(cache->capacity * sizeof(i32));
  return_object(result, KV_CACHE, cache);
  return 0;
}

static NATIVE(clear_cache) {
  KvCache *cache = (KvCache *)arguments[0].pointer;
  cache->length = 0;
  cache->end_of_prompt = 0;
  return 0;
}

static NATIVE(nothing) {
  return 0;
}

// ---- its one kernel -----------------------------------------------------------------------------------------------------------------

/** A shader that is compiled as those of a real model are, and never run. */
static NATIVE(kernels) {
  static const char text[] =
      "{\"tiny_kernel\":{\"name\":\"tiny_kernel\",\"arg_types\":[\"handle\"],"
      "\"launch_param_tags\":[\"blockIdx.x\",\"threadIdx.x\",\"paramWriteAccess:[1]\"]}}";
  return_object(result, STRING, new_string(STRING, text, sizeof text - 1));
  return 0;
}

static NATIVE(kernel_source) {
  static const char text[] =
      "@group(0) @binding(0) var<storage, read_write> data : array<f32>;\n"
      "struct Arguments { packGridDimX: u32 }\n"
      "@group(0) @binding(1) var<uniform> arguments : Arguments;\n"
      "@compute @workgroup_size(64, 1, 1)\n"
      "fn tiny_kernel(@builtin(global_invocation_id) id : vec3<u32>) { data[id.x] = f32(arguments.packGridDimX); }\n";
  return_object(result, STRING, new_string(STRING, text, sizeof text - 1));
  return 0;
}

const Entry model_functions[] = {
    {"_metadata", metadata},
    {"embed", embed},
    {"prefill", forward},
    {"decode", forward},
    {"create_tir_paged_kv_cache", create_cache},
    {"get_params", get_params},
    {"webgpu.get_fmap", kernels},
    {"webgpu.get_shader", kernel_source},
    {"webgpu.update_prebuild", nothing},
    {0, 0},
};

const Entry cache_functions[] = {
    {"vm.builtin.kv_state_clear", clear_cache},
    {"vm.builtin.kv_state_add_sequence", nothing},
    {"vm.builtin.kv_state_remove_sequence", nothing},
    {"vm.builtin.kv_state_begin_forward", nothing},
    {"vm.builtin.kv_state_end_forward", nothing},
    {"vm.builtin.attention_kv_cache_enable_sliding_window_for_seq", nothing},
    {0, 0},
};
