#include "runtime.h"

/** The weights by name, as the runtime loads them one by one. */
#define MOST 64
static struct {
  String *name;
  Tensor *tensor;
} cache[MOST];
static u32 cached;

/** Those the model asked for, in its order. */
static Array *parameters;

/** (name, tensor) */
static NATIVE(update) {
  if (cached == MOST) return fail("There are too many weights.");
  const char *name = text_of(arguments);
  cache[cached].name = new_string(STRING, name, length(name));
  cache[cached].tensor = tensor_in(arguments + 1);
  retain(cache[cached++].tensor);
  return 0;
}

static NATIVE(clear) {
  for (u32 i = 0; i < cached; i++) {
    release(cache[i].name);
    release(cache[i].tensor);
  }
  cached = 0;
  return 0;
}

static Tensor *find(const char *name) {
  for (u32 i = 0; i < cached; i++)
    if (same(cache[i].name->data, name)) return cache[i].tensor;
  return 0;
}

/** (names): a module whose `get_params` gives them. */
static NATIVE(take_by_name) {
  const Array *names = (Array *)arguments[0].pointer;
  Array *found = new_array(names->size);
  for (u32 i = 0; i < names->size; i++) {
    Tensor *tensor = find(text_of(&names->items[i]));
    if (tensor == 0) return fail("A weight is missing.");
    retain(tensor);
    return_object(&found->items[i], TENSOR, tensor);
  }
  release(parameters);
  parameters = found;
  return_object(result, MODULE, new_module());
  return 0;
}

NATIVE(get_params) {
  if (parameters == 0) return fail("No weights were loaded.");
  retain(parameters);
  return_object(result, ARRAY, parameters);
  return 0;
}

const Entry parameter_functions[] = {
    {"vm.builtin.tensor_cache.update", update},
    {"vm.builtin.tensor_cache.clear", clear},
    {"vm.builtin.param_module_from_cache_by_name", take_by_name},
    {0, 0},
};
