import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  interrupt,
  newListeningClock,
  isHeartbeatDue,
  markReported,
  tick,
  type ListeningClock,
} from './play-reports.ts';

/** Ticks at [wall clock in ms, second of the file]. */
const listen = (ticks: [at: number, time: number][], from: ListeningClock = newListeningClock) =>
  ticks.reduce((clock, [at, time]) => tick(clock, at, time), from);

describe('the listening clock', () => {
  it('counts time while it plays', () => {
    expect(
      listen([
        [0, 0],
        [250, 0.25],
        [1000, 1],
      ]).listenedSeconds,
    ).toBeCloseTo(1);
  });

  it('counts no seeks, forward or back', () => {
    expect(
      listen([
        [0, 0],
        [250, 200],
        [500, 5],
      ]).listenedSeconds,
    ).toBeCloseTo(0.25);
  });

  it('counts no time spent waiting for data', () => {
    expect(
      listen([
        [0, 3],
        [60_000, 3],
        [61_000, 4],
      ]).listenedSeconds,
    ).toBeCloseTo(1);
  });

  it('counts nothing between an interruption and the next tick', () => {
    const paused = interrupt(
      listen([
        [0, 0],
        [1000, 1],
      ]),
    );
    expect(
      listen(
        [
          [5000, 5],
          [6000, 6],
        ],
        paused,
      ).listenedSeconds,
    ).toBeCloseTo(2);
  });

  it('asks for a heartbeat every 10 seconds of listening', () => {
    const before = listen([
      [0, 0],
      [9900, 9.9],
    ]);
    expect(isHeartbeatDue(before)).toBe(false);
    const due = tick(before, 10_000, 10);
    expect(isHeartbeatDue(due)).toBe(true);
    expect(isHeartbeatDue(markReported(due))).toBe(false);
  });

  it('never counts more time than has passed', () => {
    const anyTicks = fc.array(fc.tuple(fc.nat(5000), fc.integer({ min: -100, max: 100 })));
    fc.assert(
      fc.property(anyTicks, (steps) => {
        let [at, time] = [0, 0];
        const ticks = steps.map(([ms, seconds]): [number, number] => [
          (at += ms),
          (time = Math.max(0, time + seconds)),
        ]);
        const { listenedSeconds } = listen(ticks);
        expect(listenedSeconds).toBeGreaterThanOrEqual(0);
        expect(listenedSeconds).toBeLessThanOrEqual(at / 1000 + 1e-9);
      }),
    );
  });
});
