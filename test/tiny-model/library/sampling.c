#include "runtime.h"

#define NEVER -3.0e38f

/** (logits, sequence ids, bitmask): forbids the tokens the grammar does not allow here. */
static NATIVE(apply_bitmask) {
  f32 *logits = floats_in(arguments);
  const i32 *mask = integers_in(arguments + 2);
  for (u32 token = 0; token < VOCABULARY; token++)
    if (!((mask[token / 32] >> (token % 32)) & 1)) logits[token] = NEVER;
  return 0;
}

/** (logits, sequence ids, positions, token ids, counts, [presence, frequency, repetition]) */
static NATIVE(apply_penalty) {
  f32 *logits = floats_in(arguments);
  const i32 *ids = integers_in(arguments + 3), *counts = integers_in(arguments + 4);
  const f32 *penalties = floats_in(arguments + 5);
  u32 size = (u32)tensor_in(arguments + 3)->shape[0];
  for (u32 i = 0; i < size; i++) {
    f32 *logit = logits + ids[i];
    *logit -= penalties[0] + (f32)counts[i] * penalties[1];
    *logit = *logit > 0 ? *logit / penalties[2] : *logit * penalties[2];
  }
  return 0;
}

/** (logits, positions, token ids, biases) */
static NATIVE(apply_bias) {
  f32 *logits = floats_in(arguments);
  const i32 *ids = integers_in(arguments + 2);
  const f32 *biases = floats_in(arguments + 3);
  u32 size = (u32)tensor_in(arguments + 2)->shape[0];
  for (u32 i = 0; i < size; i++) logits[ids[i]] += biases[i];
  return 0;
}

/** e to the power of `x`, which is never above 0 here: 2 to the whole part, a series for the rest. */
static f32 exponential(f32 x) {
  if (x < -87) return 0;
  f64 power = x * 1.4426950408889634;
  i32 whole = (i32)(power - 0.5);
  f64 rest = (power - whole) * 0.6931471805599453, term = 1, sum = 1;
  for (i32 i = 1; i < 12; i++) {
    term *= rest / i;
    sum += term;
  }
  union {
    f64 number;
    u64 bits;
  } two_to_whole = {.bits = (u64)(whole + 1023) << 52};
  return (f32)(sum * two_to_whole.number);
}

/** (logits, temperatures): probabilities. */
static NATIVE(softmax) {
  const Tensor *logits = tensor_in(arguments);
  const f32 *in = (f32 *)logits->data;
  f32 temperature = floats_in(arguments + 1)[0], highest = in[0];
  Tensor *probabilities = new_tensor(logits->shape, logits->dimensions, 2, 32);
  f32 *out = (f32 *)probabilities->data;
  f64 sum = 0;
  for (u32 i = 1; i < VOCABULARY; i++)
    if (in[i] > highest) highest = in[i];
  for (u32 i = 0; i < VOCABULARY; i++) sum += out[i] = exponential((in[i] - highest) / temperature);
  for (u32 i = 0; i < VOCABULARY; i++) out[i] = (f32)(out[i] / sum);
  return_object(result, TENSOR, probabilities);
  return 0;
}

/** (probabilities): them in falling order, and whose they are. */
static NATIVE(sort) {
  const Tensor *probabilities = tensor_in(arguments);
  const f32 *in = (f32 *)probabilities->data;
  Tensor *sorted = new_tensor(probabilities->shape, probabilities->dimensions, 2, 32);
  Tensor *tokens = new_tensor(probabilities->shape, probabilities->dimensions, 0, 32);
  f32 *values = (f32 *)sorted->data;
  i32 *ids = (i32 *)tokens->data;
  for (u32 token = 0; token < VOCABULARY; token++) {
    u32 at = token;
    for (; at > 0 && values[at - 1] < in[token]; at--) {
      values[at] = values[at - 1];
      ids[at] = ids[at - 1];
    }
    values[at] = in[token];
    ids[at] = (i32)token;
  }
  Value both[2];
  return_object(both, TENSOR, sorted);
  return_object(both + 1, TENSOR, tokens);
  return_object(result, ARRAY, array_of(both, 2));
  release(sorted);
  release(tokens);
  return 0;
}

/** (sorted probabilities, tokens, uniform numbers, sample indices, top p): one token of the most likely ones that make up top p. */
static NATIVE(sample) {
  const f32 *sorted = floats_in(arguments);
  const i32 *tokens = integers_in(arguments + 1);
  f32 uniform = floats_in(arguments + 2)[0], top_p = floats_in(arguments + 4)[0];
  u32 candidates = 0;
  f64 mass = 0;
  while (candidates < VOCABULARY && mass < top_p) mass += sorted[candidates++];
  f64 target = uniform * mass, sum = 0;
  i32 token = tokens[0];
  for (u32 i = 0; i < candidates && (i == 0 || sum < target); i++) {
    sum += sorted[i];
    token = tokens[i];
  }
  i64 shape[1] = {1};
  Tensor *sampled = new_tensor(shape, 1, 0, 32);
  *(i32 *)sampled->data = token;
  return_object(result, TENSOR, sampled);
  return 0;
}

const Entry sampling_functions[] = {
    {"apply_bitmask_inplace", apply_bitmask},
    {"apply_penalty_inplace", apply_penalty},
    {"apply_logit_bias_inplace", apply_bias},
    {"softmax_with_temperature", softmax},
    {"argsort_probs", sort},
    {"sample_with_top_p", sample},
    {0, 0},
};
