import { describe, expect, it } from 'vitest';
import { factsOf, friendlyName, secondsToFirstWords } from '../../../demo/state/model-facts.js';
import { secondsLeft, transferRate } from '../../../demo/state/transfer-rate.js';

describe('the facts about a model in the browser', () => {
  it('have a name without the technical parts of the identifier', () => {
    expect(
      ['Qwen3-4B-q4f16_1-MLC', 'Qwen2.5-1.5B-Instruct-q4f32_1-MLC', 'Llama-3.2-1B-Instruct-q4f16_1-MLC'].map(
        friendlyName,
      ),
    ).toEqual(['Qwen3 4B', 'Qwen2.5 1.5B', 'Llama 3.2 1B']);
    expect(friendlyName('qwen2.5-1.5b-instruct-q4_k_m')).toBe('qwen2.5 1.5b');
    expect(friendlyName('mine')).toBe('mine');
  });

  it('follow from the number of parameters, and from the place where it runs', () => {
    expect(factsOf('Llama-3.2-1B-Instruct-q4f16_1-MLC', false)).toEqual({ speed: 'fast', quality: 'tiny' });
    expect(factsOf('Qwen2.5 1.5B Instruct', true)).toEqual({ speed: 'very-slow', quality: 'small' });
    expect(factsOf('Qwen3-4B-q4f16_1-MLC', false)).toEqual({ speed: 'medium', quality: 'medium' });
    expect(factsOf('Qwen3-8B-q4f16_1-MLC', false)).toEqual({ speed: 'slow', quality: 'large' });
    expect(factsOf('mine', false)).toEqual({ speed: 'medium', quality: 'unknown' });
  });
});

describe('the rate of a download', () => {
  it('is unknown at first, then an average of the last 5 seconds', () => {
    const rate = transferRate();
    expect(rate(0, 0)).toBeNull();
    expect(rate(100, 100)).toBeNull();
    expect(rate(1_000, 1_000)).toBe(1_000);
    expect(rate(11_000, 6_000)).toBe(2_000);
  });

  it('gives the time that is left', () => {
    expect(secondsLeft(50, 100, 10)).toBe(5);
    expect(secondsLeft(50, 0, 10)).toBeNull();
    expect(secondsLeft(50, 100, null)).toBeNull();
  });
});

it('estimates the first words of a model on the processor from its size and the speed of the machine', () => {
  expect(secondsToFirstWords(1e9, 4)).toBe(250);
  expect(secondsToFirstWords(0.5e9, 25)).toBe(20);
});
