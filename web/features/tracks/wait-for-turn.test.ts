import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { waitForTurn } from './wait-for-turn.ts';

const done: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  done.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

it('updates come one per task, in their order, and those of a row that has left never', () => {
  waitForTurn(() => done.push('first'));
  const leave = waitForTurn(() => done.push('second'));
  waitForTurn(() => done.push('third'));
  expect(done).toEqual([]);
  vi.advanceTimersToNextTimer();
  expect(done).toEqual(['first']);
  leave();
  vi.advanceTimersToNextTimer();
  expect(done).toEqual(['first', 'third']);
  expect(vi.getTimerCount()).toBe(0);
});

it('a row that leaves before its turn holds up no other', () => {
  waitForTurn(() => done.push('gone'))();
  vi.advanceTimersToNextTimer();
  waitForTurn(() => done.push('next'));
  vi.advanceTimersToNextTimer();
  expect(done).toEqual(['next']);
});
