import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Interrupts } from '../../../scripts/try/interrupts.js';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

describe('Ctrl+C', () => {
  it('stops first, then quits; what npm passes on of the same key press does not count', async () => {
    const stop = vi.fn(() => true);
    const interrupts = new Interrupts(stop);
    let quit = false;
    void interrupts.quit.then(() => (quit = true));
    interrupts.press();
    vi.advanceTimersByTime(50);
    interrupts.press();
    await Promise.resolve();
    expect([stop.mock.calls.length, quit]).toEqual([1, false]);
    vi.advanceTimersByTime(1_000);
    interrupts.press();
    await interrupts.quit;
    expect([stop.mock.calls.length, quit]).toEqual([1, true]);
    interrupts.close();
  });

  it('quits at once when there is nothing to stop', async () => {
    const interrupts = new Interrupts(() => false);
    interrupts.press();
    await expect(interrupts.quit).resolves.toBeUndefined();
    interrupts.close();
  });
});
