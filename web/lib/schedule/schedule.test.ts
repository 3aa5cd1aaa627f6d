import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFrameQueue, runBetweenFrames } from './schedule.ts';

const done: string[] = [];
const frames: (() => void)[] = [];
let now = 0;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  done.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const addPiece = (name: string, ms: number) =>
  runBetweenFrames(() => {
    now += ms;
    done.push(name);
  });

/** A frame, and the task after it. */
function passFrame(): void {
  for (const run of frames.splice(0)) run();
  vi.advanceTimersToNextTimer();
}

it('pieces of work that take long have a frame between them', () => {
  addPiece('first', 10);
  addPiece('second', 10);
  expect(done).toEqual([]);
  passFrame();
  expect(done).toEqual(['first']);
  passFrame();
  expect(done).toEqual(['first', 'second']);
  expect(frames).toEqual([]);
});

it('short ones run one after the other, and a cancelled one never runs', () => {
  addPiece('first', 0);
  addPiece('gone', 0)();
  addPiece('third', 0);
  passFrame();
  expect(done).toEqual(['first', 'third']);
  expect(frames).toEqual([]);
});

it('one that fails doesn’t hold up the others', () => {
  runBetweenFrames(() => {
    throw new Error('failed');
  });
  addPiece('next', 0);
  expect(passFrame).toThrow('failed');
  passFrame();
  expect(done).toEqual(['next']);
});

it('one kind of work doesn’t hold up another', () => {
  const runOther = createFrameQueue();
  addPiece('first', 10);
  addPiece('second', 10);
  runOther(() => done.push('other'));
  for (const run of frames.splice(0)) run();
  vi.advanceTimersToNextTimer();
  vi.advanceTimersToNextTimer();
  expect(done).toEqual(['first', 'other']);
  passFrame();
  expect(done).toEqual(['first', 'other', 'second']);
});

it('the newest work runs first, in its own order', () => {
  addPiece('first', 10);
  addPiece('second', 10);
  passFrame();
  addPiece('third', 10);
  addPiece('fourth', 10);
  for (let frame = 0; frame < 3; frame += 1) passFrame();
  expect(done).toEqual(['first', 'third', 'fourth', 'second']);
  expect(frames).toEqual([]);
});
