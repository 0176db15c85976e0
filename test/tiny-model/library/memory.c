#include "runtime.h"

/**
 * Blocks come in sizes of powers of two; a freed one goes to the list of its size and is the next to be given again. Eight bytes before
 * the block hold which size it is.
 */
extern u8 __heap_base;
static u32 end_of_heap;
static u32 free_blocks[32];

#define HEADER 8
#define PAGE 65536

static u32 grow(u32 size) {
  if (end_of_heap == 0) end_of_heap = ((u32)&__heap_base + 15) & ~15u;
  u32 block = end_of_heap;
  end_of_heap += size;
  u32 available = __builtin_wasm_memory_size(0) * PAGE;
  if (end_of_heap > available) {
    u32 pages = (end_of_heap - available + PAGE - 1) / PAGE;
    if (__builtin_wasm_memory_grow(0, pages + 16) == (u32)-1) return 0;
  }
  return block;
}

void *allocate(u32 size) {
  u32 class = 4;
  while ((1u << class) < size + HEADER) class++;
  u32 block = free_blocks[class];
  if (block != 0) {
    free_blocks[class] = *(u32 *)(block + HEADER);
  } else {
    block = grow(1u << class);
    if (block == 0) __builtin_trap(); // out of memory: a test that gets here is wrong
  }
  *(u32 *)block = class;
  return (void *)(block + HEADER);
}

void *allocate_zeroed(u32 size) {
  return memset(allocate(size), 0, size);
}

void release_memory(void *data) {
  if (data == 0) return;
  u32 block = (u32)data - HEADER;
  u32 class = *(u32 *)block;
  *(u32 *)data = free_blocks[class];
  free_blocks[class] = block;
}

void *memcpy(void *to, const void *from, unsigned long size) {
  u8 *target = to;
  const u8 *source = from;
  while (size--) *target++ = *source++;
  return to;
}

void *memset(void *to, int byte, unsigned long size) {
  u8 *target = to;
  while (size--) *target++ = (u8)byte;
  return to;
}

/** The runtime lays its arguments into the library's memory. */
void *EXPORTED(TVMWasmAllocSpace)(u32 size) {
  return allocate_zeroed(size);
}

void EXPORTED(TVMWasmFreeSpace)(void *space) {
  release_memory(space);
}
