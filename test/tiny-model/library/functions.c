#include "runtime.h"

/** How the runtime finds everything else: functions by name, its own registered here, the library's in modules. */

static NATIVE(nothing) {
  return 0;
}

static NATIVE(make_module) {
  return_object(result, MODULE, new_module());
  return 0;
}

static Native find(const Entry *entries, const char *name) {
  for (; entries->name; entries++)
    if (same(entries->name, name)) return entries->native;
  return 0;
}

/** What a module answers for: all modules here are the same one. */
static const Entry machine_functions[] = {
    {"vm_load_executable", make_module},
    {"vm_initialization", nothing},
    {0, 0},
};

/** (module, name, search imports) */
static NATIVE(function_of_module) {
  const char *name = text_of(arguments + 1);
  Native native = find(machine_functions, name);
  if (native == 0) native = find(model_functions, name);
  if (native == 0) native = find(sampling_functions, name);
  if (native != 0) return_object(result, FUNCTION, new_function(native));
  return 0;
}

/** Named by the runtime when it starts, and part of other models' work. */
static const Entry other_functions[] = {
    {"ffi.SystemLib", make_module},
    {"ffi.ModuleGetFunction", function_of_module},
    {"ffi.ModuleImportModule", nothing},
    {"ffi.FunctionListGlobalNamesFunctor", nothing},
    {"vm.builtin.tensor_cache.get", nothing},
    {"vm.builtin.tensor_cache.remove", nothing},
    {"vm.builtin.param_module_from_cache", nothing},
    {"vm.builtin.sample_top_p_from_logits", nothing},
    {"vm.builtin.sample_top_p_from_prob", nothing},
    {"vm.builtin.apply_repetition_penalty", nothing},
    {"vm.builtin.apply_presence_and_frequency_penalty", nothing},
    {"vm.builtin.apply_softmax_with_temperature", nothing},
    {0, 0},
};

// ---- functions of JavaScript, by name -----------------------------------------------------------------------------------------------

#define MOST 32
static struct {
  String *name;
  Function *function;
} registered[MOST];
static u32 registrations;

i32 EXPORTED(TVMFFIFunctionSetGlobal)(const ByteView *name, Function *function, i32 replace) {
  if (registrations == MOST) return fail("Too many functions were registered.");
  registered[registrations].name = new_string(STRING, name->data, name->size);
  registered[registrations++].function = function;
  retain(function);
  return 0;
}

i32 EXPORTED(TVMFFIFunctionGetGlobal)(const ByteView *name, u32 *found) {
  static const Entry *const tables[] = {other_functions, tensor_functions, parameter_functions, cache_functions};
  *found = 0;
  for (u32 table = 0; table < sizeof tables / sizeof *tables; table++)
    for (const Entry *entry = tables[table]; entry->name; entry++)
      if (same_bytes(name, entry->name)) *found = (u32)new_function(entry->native);
  for (u32 i = registrations; i-- > 0 && *found == 0;) {
    if (!same_bytes(name, registered[i].name->data)) continue;
    retain(registered[i].function);
    *found = (u32)registered[i].function;
  }
  return 0;
}

void EXPORTED(_initialize)(void) {}
