import { describe, expect, it } from 'vitest';
import { modelFacts } from '../../../src/providers/openai/catalogue.js';

const MINI = {
  contextWindow: 400_000,
  maxOutputTokens: 128_000,
  price: { promptPerMillion: 0.25, completionPerMillion: 2 },
  reasons: true,
  images: true,
  jsonSchema: true,
  openWeights: false,
};

describe('the model catalogue', () => {
  it.each(['gpt-5-mini', 'openai/gpt-5-mini', 'GPT-5-mini', 'gpt-5-mini-2025-08-07', 'gpt-5-mini-latest'])(
    'knows gpt-5-mini as %s',
    (name) => {
      expect(modelFacts(name)).toEqual(MINI);
    },
  );

  it('knows a variant without its price', () => {
    const { price, ...limits } = MINI;
    expect(modelFacts('openai/gpt-5-mini:batch')).toEqual(limits);
    expect(price).toBeDefined();
  });

  it.each([
    ['claude-opus-4-5', 'anthropic/claude-opus-4.5'],
    ['claude-haiku-4-5', 'claude-haiku-4-5-20251001'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5@20250929'],
    ['gemini-2.5-pro', 'models/gemini-2.5-pro'],
    ['minimax-m3', 'MiniMaxAI/MiniMax-M3'],
  ])('knows %s as %s', (name, other) => {
    expect(modelFacts(other)).toEqual(modelFacts(name));
    expect(modelFacts(name)).not.toBeNull();
  });

  it.each([
    'gpt-5-ultra',
    'gpt-5-mini-2',
    'my-gpt-5',
    'gpt',
    '',
    '/',
    'gpt-5-minimal',
    'qwen3:8b',
    'gpt-oss:20b',
  ])('does not mistake %j for another model', (name) => {
    expect(modelFacts(name)).toBeNull();
  });

  it('has a separate entry for an older snapshot', () => {
    expect(modelFacts('gpt-4o-2024-05-13')).toMatchObject({ maxOutputTokens: 4_096, jsonSchema: false });
    expect(modelFacts('gpt-4o-2024-11-20')).toMatchObject({ maxOutputTokens: 16_384, jsonSchema: true });
  });
});
