/**
 * What web-llm expects of a model library: the C interface of TVM's foreign functions, as its JavaScript runtime (in `@mlc-ai/web-llm`
 * 0.2.86) calls it. Values cross as 16-byte `Value`s; everything larger is a counted `Object` behind a pointer. The layouts below are
 * read and written by the runtime byte by byte: a field that moves breaks it.
 */
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;

/** Called by the runtime under this name. */
#define EXPORTED(name) __attribute__((export_name(#name))) name
/** Provided by the runtime under this name. */
#define IMPORTED(name) __attribute__((import_module("env"), import_name(#name))) name

/** What a value is; from `OBJECT` on it is a pointer to a counted object. */
enum Type {
  NONE = 0,
  INT = 1,
  FLOAT = 3,
  TENSOR_VIEW = 7,   // points past the header of a Tensor
  C_STRING = 8,      // ends with a zero byte
  BYTES_VIEW = 9,    // points to a ByteView
  OBJECT = 64,
  STRING = 65,
  BYTES = 66,
  FUNCTION = 68,
  SHAPE = 69,
  TENSOR = 70,
  ARRAY = 71,
  MODULE = 73,
  KV_CACHE = 200,    // ours alone: the runtime only hands it back
};

typedef struct {
  i32 type;
  u32 zero;
  union {
    i64 integer;
    f64 number;
    u32 pointer;
  };
} Value;

/** The header of every object. */
typedef struct {
  u32 references;
  u32 weak_references;
  i32 type;
  u32 padding;
  u32 deleter;
  u32 more_padding;
} Object;

typedef struct {
  char *data;
  u32 size;
} ByteView;

/** A STRING or BYTES. */
typedef struct {
  Object header;
  char *data;
  u32 size;
} String;

/** From `data` on this is a DLTensor. All of them lie in the library's own memory: its "GPU" is the processor. */
typedef struct {
  Object header;
  u8 *data;
  i32 device_type, device_id;
  i32 dimensions;
  u8 type_code, bits; // 0 int, 1 unsigned, 2 float
  u16 lanes;
  i64 *shape;
  i64 *strides;
  u64 byte_offset;
  i64 shape_data[6];
  Object *owner; // of `data`, for a view
  u32 bytes;
} Tensor;

typedef struct {
  Object header;
  i64 *data;
  u32 size;
  i64 values[8];
} Shape;

typedef struct {
  Object header;
  u32 size;
  Value *items;
} Array;

/** A function of this library: `self` is its own object. Anything but 0 is a failure, see `fail`. */
typedef i32 (*Native)(void *self, Value *arguments, i32 count, Value *result);

typedef struct {
  Object header;
  Native native; // or, when it is one of JavaScript's,
  u32 javascript; // its handle
} Function;

typedef struct {
  Object header;
} Module;

/** A native function by name, ends with a null name. */
typedef struct {
  const char *name;
  Native native;
} Entry;

/** The head of a native function. */
#define NATIVE(name) i32 name(void *self, Value *arguments, i32 count, Value *result)

// memory.c
void *allocate(u32 size);
void *allocate_zeroed(u32 size);
void release_memory(void *block);
void *memcpy(void *to, const void *from, unsigned long size);
void *memset(void *to, int byte, unsigned long size);

// objects.c
i32 fail(const char *message);
void *new_object(i32 type, u32 size);
void retain(void *object);
void release(void *object);
i32 same(const char *a, const char *b);
i32 same_bytes(const ByteView *view, const char *text);
u32 length(const char *text);
const char *text_of(const Value *value);
String *new_string(i32 type, const void *data, u32 size);
Function *new_function(Native native);
Module *new_module(void);
Array *new_array(u32 size);
Array *array_of(const Value *values, u32 size);
Value owned(Value value);
void return_object(Value *result, i32 type, void *object);

// tensors.c
Tensor *new_tensor(const i64 *shape, u32 dimensions, u8 type_code, u8 bits);
Tensor *tensor_in(const Value *value);
f32 *floats_in(const Value *value);
i32 *integers_in(const Value *value);
u32 elements(const i64 *shape, u32 dimensions);
extern const Entry tensor_functions[];

// parameters.c
extern const Entry parameter_functions[];
NATIVE(get_params);

// model.c
extern const Entry model_functions[];
extern const Entry cache_functions[];
void free_cache(void *cache);

// sampling.c
/** The tokens of `model-files.ts`: bytes, marks, and words from `FIRST_WORD` on. */
#define VOCABULARY 320
#define FIRST_WORD 264
extern const Entry sampling_functions[];
