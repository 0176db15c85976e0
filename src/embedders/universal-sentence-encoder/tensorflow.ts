/** The part of a TensorFlow.js tensor that is used. */
export interface Tensor {
  data(): Promise<Float32Array | Int32Array | Uint8Array>;
  dispose(): void;
}

/** The part of a graph model that is used. */
export interface GraphModel<Made extends Tensor = Tensor> {
  executeAsync(inputs: { indices: Made; values: Made }): Promise<Tensor | Tensor[]>;
}

/**
 * The part of TensorFlow.js that is used. The application assembles it from the packages that it installs and chooses the backend: `{
 * tensor1d, tensor2d, loadGraphModel: (files) => loadGraphModel(io.fromMemory(files)) }`, with imports from `@tensorflow/tfjs-core` and
 * `@tensorflow/tfjs-converter`.
 */
export interface TensorFlow<Made extends Tensor = Tensor> {
  tensor1d(values: Int32Array, type: 'int32'): Made;
  tensor2d(values: Int32Array, shape: [number, number], type: 'int32'): Made;
  loadGraphModel(files: ModelFiles): Promise<GraphModel<Made>>;
}

/** Model in the format of TensorFlow.js, with all weights in one buffer. */
export interface ModelFiles {
  modelTopology: object;
  weightSpecs: WeightSpec[];
  weightData: ArrayBuffer;
}

interface WeightSpec {
  name: string;
  shape: number[];
  dtype: 'float32' | 'int32' | 'bool' | 'string' | 'complex64';
}
