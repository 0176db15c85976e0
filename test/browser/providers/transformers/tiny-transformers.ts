import { transformers } from '../../../../src/providers/transformers/index.js';
import { chainOf, type Saying } from '../../../tiny-chain/chain.js';
import { onnxFiles } from '../../../tiny-chain/onnx.js';
import { libraryWith } from '../../../tiny-chain/served-library.js';

type TransformersOptions = Parameters<typeof transformers>[0];
type TransformersModel = ReturnType<typeof transformers>;

let made = 0;

/**
 * A model of the real library with the given replies. Only the download is simulated: its files come from this page
 * instead of the Hub.
 */
export function tinyTransformers(
  sayings: readonly Saying[],
  options: Partial<TransformersOptions> = {},
): TransformersModel {
  const model = `tiny/chain-${made++}`;
  const library = libraryWith(model, onnxFiles(chainOf(sayings)));
  return transformers({ library, model, options: { dtype: 'fp32', device: 'wasm' }, ...options });
}
