/** @module-tag storage-api */
import { Wllama } from '@wllama/wllama/esm/index.js';
import { vi } from 'vitest';
import { CHAIN_WINDOW, overChain } from '../../../contracts/chain-model.js';
import { chatModelContract } from '../../../contracts/chat-model.js';
import { tinyWllama } from './tiny-wllama.js';

chatModelContract('wllama, the real engine,', () => {
  const engine = vi.spyOn(Wllama.prototype, 'createChatCompletion'); // The engine continues to work.
  return {
    ...overChain(
      (sayings) => tinyWllama(sayings, { contextWindow: CHAIN_WINDOW }),
      () => engine.mock.calls.length,
    ),
    row: 'wllama',
    offline: true,
    failure: 'context-overflow', // No other fault can be triggered.
    constrains: true,
    seeds: true,
  };
});
