#include "runtime.h"

u32 elements(const i64 *shape, u32 dimensions) {
  u32 product = 1;
  for (u32 i = 0; i < dimensions; i++) product *= (u32)shape[i];
  return product;
}

static Tensor *tensor_over(const i64 *shape, u32 dimensions, u8 type_code, u8 bits) {
  Tensor *tensor = new_object(TENSOR, sizeof(Tensor));
  tensor->device_type = 1;
  tensor->dimensions = dimensions;
  tensor->type_code = type_code;
  tensor->bits = bits;
  tensor->lanes = 1;
  for (u32 i = 0; i < dimensions; i++) tensor->shape_data[i] = shape[i];
  tensor->shape = tensor->shape_data;
  tensor->bytes = elements(shape, dimensions) * ((bits + 7) / 8);
  return tensor;
}

Tensor *new_tensor(const i64 *shape, u32 dimensions, u8 type_code, u8 bits) {
  Tensor *tensor = tensor_over(shape, dimensions, type_code, bits);
  tensor->data = allocate_zeroed(tensor->bytes + 4);
  return tensor;
}

Tensor *tensor_in(const Value *value) {
  return (Tensor *)(value->type == TENSOR_VIEW ? value->pointer - sizeof(Object) : value->pointer);
}

f32 *floats_in(const Value *value) {
  return (f32 *)tensor_in(value)->data;
}

i32 *integers_in(const Value *value) {
  return (i32 *)tensor_in(value)->data;
}

/** `float32`, `int32`, `uint8`: what the elements are and how many bits they have. */
static void read_data_type(const char *text, u8 *type_code, u8 *bits) {
  *type_code = text[0] == 'i' ? 0 : text[0] == 'u' ? 1 : 2;
  while (*text && (*text < '0' || *text > '9')) text++;
  u32 number = 0;
  while (*text >= '0' && *text <= '9') number = number * 10 + (u32)(*text++ - '0');
  *bits = number ? (u8)number : 32;
}

static NATIVE(make_shape) {
  Shape *shape = new_object(SHAPE, sizeof(Shape));
  shape->size = count;
  shape->data = shape->values;
  for (i32 i = 0; i < count && i < 8; i++)
    shape->values[i] = arguments[i].type == FLOAT ? (i64)arguments[i].number : arguments[i].integer;
  return_object(result, SHAPE, shape);
  return 0;
}

/** (shape, data type, device) */
static NATIVE(make_tensor) {
  const Shape *shape = (Shape *)arguments[0].pointer;
  u8 type_code, bits;
  read_data_type(text_of(arguments + 1), &type_code, &bits);
  return_object(result, TENSOR, new_tensor(shape->data, shape->size, type_code, bits));
  return 0;
}

/** (tensor, shape): the same data in another shape. */
static NATIVE(make_view) {
  Tensor *tensor = tensor_in(arguments);
  const Shape *shape = (Shape *)arguments[1].pointer;
  Tensor *view = tensor_over(shape->data, shape->size, tensor->type_code, tensor->bits);
  if (view->bytes != tensor->bytes) return fail("A view must be as large as its tensor.");
  view->data = tensor->data;
  view->owner = tensor->owner ? tensor->owner : (Object *)tensor;
  retain(view->owner);
  return_object(result, TENSOR, view);
  return 0;
}

/** (from, to) */
static NATIVE(copy_tensor) {
  Tensor *from = tensor_in(arguments), *to = tensor_in(arguments + 1);
  if (from->bytes != to->bytes) return fail("Tensors of different sizes cannot be copied.");
  memcpy(to->data, from->data, from->bytes);
  return 0;
}

/** (tensor, bytes) */
static NATIVE(copy_from_bytes) {
  Tensor *tensor = tensor_in(arguments);
  const ByteView *bytes = (ByteView *)arguments[1].pointer;
  if (bytes->size != tensor->bytes) return fail("The bytes do not fill the tensor.");
  memcpy(tensor->data, bytes->data, bytes->size);
  return 0;
}

static NATIVE(copy_to_bytes) {
  Tensor *tensor = tensor_in(arguments);
  return_object(result, BYTES, new_string(BYTES, tensor->data, tensor->bytes));
  return 0;
}

/** (tensor, bytes, format, data type): weights as they lie in their file. */
static NATIVE(decode_weights) {
  Tensor *tensor = tensor_in(arguments);
  const ByteView *bytes = (ByteView *)arguments[1].pointer;
  memcpy(tensor->data, bytes->data, bytes->size < tensor->bytes ? bytes->size : tensor->bytes);
  return 0;
}

/** Embeddings below each other. */
static NATIVE(concatenate_embeddings) {
  const Tensor *first = tensor_in(arguments);
  i64 shape[2] = {0, first->shape[1]};
  for (i32 i = 0; i < count; i++) shape[0] += tensor_in(arguments + i)->shape[0];
  Tensor *whole = new_tensor(shape, 2, first->type_code, first->bits);
  u32 at = 0;
  for (i32 i = 0; i < count; i++) {
    const Tensor *part = tensor_in(arguments + i);
    memcpy(whole->data + at, part->data, part->bytes);
    at += part->bytes;
  }
  return_object(result, TENSOR, whole);
  return 0;
}

static NATIVE(make_array) {
  return_object(result, ARRAY, array_of(arguments, count));
  return 0;
}

static NATIVE(concatenate_arrays) {
  u32 size = 0, at = 0;
  for (i32 i = 0; i < count; i++) size += ((Array *)arguments[i].pointer)->size;
  Array *whole = new_array(size);
  for (i32 i = 0; i < count; i++) {
    const Array *part = (Array *)arguments[i].pointer;
    for (u32 j = 0; j < part->size; j++) whole->items[at++] = owned(part->items[j]);
  }
  return_object(result, ARRAY, whole);
  return 0;
}

static NATIVE(array_size) {
  *result = (Value){.type = INT, .integer = ((Array *)arguments[0].pointer)->size};
  return 0;
}

/** (array, index) */
static NATIVE(array_item) {
  const Array *array = (Array *)arguments[0].pointer;
  i64 index = arguments[1].integer;
  if (index < 0 || index >= array->size) return fail("There is no such item.");
  *result = owned(array->items[index]);
  return 0;
}

const Entry tensor_functions[] = {
    {"ffi.Shape", make_shape},
    {"ffi.Array", make_array},
    {"ffi.ArraySize", array_size},
    {"ffi.ArrayGetItem", array_item},
    {"tvmjs.runtime.ArrayConcat", concatenate_arrays},
    {"runtime.TVMTensorAllocWithScope", make_tensor},
    {"runtime.TVMTensorCreateView", make_view},
    {"runtime.TVMTensorCopyFromTo", copy_tensor},
    {"tvmjs.runtime.TensorCopyFromBytes", copy_from_bytes},
    {"tvmjs.runtime.TensorCopyToBytes", copy_to_bytes},
    {"tvmjs.array.decode_storage", decode_weights},
    {"tvmjs.runtime.ConcatEmbeddings", concatenate_embeddings},
    {0, 0},
};
