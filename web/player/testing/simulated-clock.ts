import type { Clock } from '../clock.ts';

export type SimulatedClock = Clock & { advance(ms: number): void; pending(): number };

/** Time that passes only when a test says so. */
export function createSimulatedClock(start = 1_000_000): SimulatedClock {
  let now = start;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers = timers.filter((other) => other !== due);
        now = due.at;
        due.run();
      }
      now = end;
    },
    pending: () => timers.length,
  };
}
