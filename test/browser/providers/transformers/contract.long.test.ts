import { TextGenerationPipeline } from '@huggingface/transformers';
import { vi } from 'vitest';
import { CHAIN_WINDOW, overChain } from '../../../contracts/chain-model.js';
import { chatModelContract } from '../../../contracts/chat-model.js';
import { tinyTransformers } from './tiny-transformers.js';

chatModelContract('transformers, the real library and ONNX runtime,', () => {
  const asked = vi.spyOn(TextGenerationPipeline.prototype, '_call'); // The engine continues to work.
  return {
    ...overChain(
      (sayings) => tinyTransformers(sayings, { contextWindow: CHAIN_WINDOW }),
      () => asked.mock.calls.length,
    ),
    row: 'transformers',
    offline: true,
    failure: 'context-overflow', // No other fault can be triggered.
  };
});
