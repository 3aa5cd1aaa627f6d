import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runWhenUnused } from './schedule.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const page = new EventTarget() as typeof window;
const pass = () => vi.advanceTimersToNextTimer();

it('runs once, in the first pause in which it can', () => {
  const run = vi.fn<() => void>();
  let canRun = false;
  runWhenUnused(() => canRun, run, page);
  pass();
  expect(run).not.toHaveBeenCalled();
  canRun = true;
  pass();
  expect(run).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

it.each(['scroll', 'keydown', 'pointerdown'])('waits while there is a %s', (input) => {
  const run = vi.fn<() => void>();
  runWhenUnused(() => true, run, page);
  for (let times = 0; times < 3; times += 1) {
    page.dispatchEvent(new Event(input));
    pass();
    expect(run).not.toHaveBeenCalled();
  }
  pass();
  expect(run).toHaveBeenCalledOnce();
});
