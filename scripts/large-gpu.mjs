// @ts-check

/** A large GPU without 16-bit floats, for the page only: the list of models offers more. An init script of Playwright; runs in every frame. */
export function largeGpu() {
  const limits = {
    maxBufferSize: 2 ** 32,
    maxStorageBufferBindingSize: 2 ** 30,
    maxComputeWorkgroupStorageSize: 32_768,
    maxStorageBuffersPerShaderStage: 10,
  };
  const adapter = { features: new Set(), limits, info: {} };
  Object.defineProperty(navigator, 'deviceMemory', { value: 8 });
  Object.defineProperty(navigator, 'gpu', { value: { requestAdapter: () => Promise.resolve(adapter) } });
}
