#include "runtime.h"

i32 IMPORTED(TVMFFIWasmSafeCall)(u32 function, void *arguments, i32 count, void *result);
void IMPORTED(TVMFFIWasmFunctionDeleter)(u32 function);

// ---- errors -------------------------------------------------------------------------------------------------------------------------

static char last_error[256];

/** What a native function returns when it cannot do what it is asked. */
i32 fail(const char *message) {
  u32 i = 0;
  for (; message[i] && i < sizeof last_error - 1; i++) last_error[i] = message[i];
  last_error[i] = 0;
  return -1;
}

char *EXPORTED(TVMFFIWasmGetLastError)(void) {
  return last_error;
}

void EXPORTED(TVMFFIErrorSetRaisedFromCStr)(const char *kind, const char *message) {
  fail(message);
}

// ---- texts --------------------------------------------------------------------------------------------------------------------------

u32 length(const char *text) {
  u32 size = 0;
  while (text[size]) size++;
  return size;
}

i32 same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

i32 same_bytes(const ByteView *view, const char *text) {
  if (view->size != length(text)) return 0;
  for (u32 i = 0; i < view->size; i++)
    if (view->data[i] != text[i]) return 0;
  return 1;
}

/** Texts come as C strings or as String objects. */
const char *text_of(const Value *value) {
  return value->type == C_STRING ? (const char *)value->pointer : ((String *)value->pointer)->data;
}

// ---- making objects -----------------------------------------------------------------------------------------------------------------

void *new_object(i32 type, u32 size) {
  Object *object = allocate_zeroed(size);
  object->references = 1;
  object->type = type;
  return object;
}

String *new_string(i32 type, const void *data, u32 size) {
  String *string = new_object(type, sizeof(String));
  string->data = allocate(size + 1);
  memcpy(string->data, data, size);
  string->data[size] = 0;
  string->size = size;
  return string;
}

Function *new_function(Native native) {
  Function *function = new_object(FUNCTION, sizeof(Function));
  function->native = native;
  return function;
}

Module *new_module(void) {
  return new_object(MODULE, sizeof(Module));
}

Array *new_array(u32 size) {
  Array *array = new_object(ARRAY, sizeof(Array));
  array->size = size;
  array->items = allocate_zeroed((size + 1) * sizeof(Value));
  return array;
}

Array *array_of(const Value *values, u32 size) {
  Array *array = new_array(size);
  for (u32 i = 0; i < size; i++) array->items[i] = owned(values[i]);
  return array;
}

/** The value with a reference of its own; what only points to the caller's memory is copied. */
Value owned(Value value) {
  Value copy = {.type = value.type, .integer = value.integer};
  if (value.type == C_STRING) {
    const char *text = (const char *)value.pointer;
    return_object(&copy, STRING, new_string(STRING, text, length(text)));
  } else if (value.type == BYTES_VIEW) {
    const ByteView *view = (const ByteView *)value.pointer;
    return_object(&copy, BYTES, new_string(BYTES, view->data, view->size));
  } else if (value.type >= OBJECT) {
    retain((void *)value.pointer);
  }
  return copy;
}

void return_object(Value *result, i32 type, void *object) {
  *result = (Value){.type = type, .integer = 0};
  result->pointer = (u32)object;
}

// ---- counting references ------------------------------------------------------------------------------------------------------------

void retain(void *object) {
  ((Object *)object)->references++;
}

static void free_parts(Object *object) {
  switch (object->type) {
    case STRING:
    case BYTES:
      release_memory(((String *)object)->data);
      break;
    case TENSOR: {
      Tensor *tensor = (Tensor *)object;
      if (tensor->owner) release(tensor->owner);
      else release_memory(tensor->data);
      break;
    }
    case ARRAY: {
      Array *array = (Array *)object;
      for (u32 i = 0; i < array->size; i++)
        if (array->items[i].type >= OBJECT) release((void *)array->items[i].pointer);
      release_memory(array->items);
      break;
    }
    case FUNCTION:
      if (((Function *)object)->javascript) TVMFFIWasmFunctionDeleter(((Function *)object)->javascript);
      break;
    case KV_CACHE:
      free_cache(object);
  }
}

void release(void *pointer) {
  Object *object = pointer;
  if (object == 0 || --object->references > 0) return;
  free_parts(object);
  release_memory(object);
}

i32 EXPORTED(TVMFFIObjectIncRef)(void *object) {
  retain(object);
  return 0;
}

i32 EXPORTED(TVMFFIObjectDecRef)(void *object) {
  release(object);
  return 0;
}

i32 EXPORTED(TVMFFIAnyViewToOwnedAny)(const Value *view, Value *copy) {
  *copy = owned(*view);
  return 0;
}

// ---- types by name ------------------------------------------------------------------------------------------------------------------

i32 EXPORTED(TVMFFITypeKeyToIndex)(const ByteView *key, i32 *index) {
  *index = same_bytes(key, "ffi.Array") ? ARRAY : same_bytes(key, "ffi.Module") ? MODULE : 250;
  return 0;
}

/** Only shown in messages. */
void *EXPORTED(TVMFFIGetTypeInfo)(i32 index) {
  static struct {
    i32 index, depth;
    ByteView key;
  } information = {.key = {"object", 6}};
  return &information;
}

i32 EXPORTED(TVMFFIDataTypeToString)(const void *type, u32 *text) {
  *text = (u32)new_string(STRING, "float32", 7);
  return 0;
}

// ---- functions ----------------------------------------------------------------------------------------------------------------------

/** Makes an object of one of JavaScript's functions. */
i32 EXPORTED(TVMFFIWasmFunctionCreate)(u32 javascript, u32 *created) {
  Function *function = new_object(FUNCTION, sizeof(Function));
  function->javascript = javascript;
  *created = (u32)function;
  return 0;
}

i32 EXPORTED(TVMFFIFunctionCall)(Function *function, Value *arguments, i32 count, Value *result) {
  if (function->javascript) return TVMFFIWasmSafeCall(function->javascript, arguments, count, result);
  return function->native(function, arguments, count, result);
}
