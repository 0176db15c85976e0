import { expect, it, vi } from 'vitest';
import { onAbort } from '../../../src/core/on-abort.js';

it('notifies all waiting listeners once when the signal aborts, and no removed one', () => {
  const controller = new AbortController();
  const reported: string[] = [];
  const tell = (): void => void reported.push('one');
  onAbort(controller.signal, tell);
  onAbort(controller.signal, tell);
  const leave = onAbort(controller.signal, () => reported.push('left'));
  leave();
  leave();
  controller.abort();
  controller.abort();
  expect(reported).toEqual(['one', 'one']);
});

it('notifies at once when the signal has aborted', () => {
  const then = vi.fn();
  onAbort(AbortSignal.abort(), then)();
  expect(then).toHaveBeenCalledOnce();
});

it('registers one platform listener per signal, however many wait in turn', () => {
  const { signal } = new AbortController();
  const listen = vi.spyOn(signal, 'addEventListener');
  for (let call = 0; call < 100; call++) onAbort(signal, () => {})();
  expect(listen).toHaveBeenCalledOnce();
});
