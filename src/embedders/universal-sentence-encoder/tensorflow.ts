/** What is used of a tensor of TensorFlow.js. */
export interface Tensor {
  data(): Promise<Float32Array | Int32Array | Uint8Array>;
  dispose(): void;
}

/** What is used of a graph model. */
export interface GraphModel<Made extends Tensor = Tensor> {
  executeAsync(inputs: { indices: Made; values: Made }): Promise<Tensor | Tensor[]>;
}

/**
 * What is used of TensorFlow.js; an application puts it together from the parts it installs, and chooses the backend:
 * `{ tensor1d, tensor2d, fromMemory: io.fromMemory, loadGraphModel }` of `@tensorflow/tfjs-core` and `@tensorflow/tfjs-converter`.
 */
export interface TensorFlow<Made extends Tensor = Tensor> {
  tensor1d(values: Int32Array, type: 'int32'): Made;
  tensor2d(values: Int32Array, shape: [number, number], type: 'int32'): Made;
  loadGraphModel(files: ModelFiles): Promise<GraphModel<Made>>;
}

/** A model as TensorFlow.js stores it, the weights in one piece. */
export interface ModelFiles {
  modelTopology: object;
  weightSpecs: WeightSpec[];
  weightData: ArrayBuffer;
}

export interface WeightSpec {
  name: string;
  shape: number[];
  dtype: 'float32' | 'int32' | 'bool' | 'string' | 'complex64';
}
