import type { Clock } from './clock.ts';
import { patchState, type PlayerStore, type SleepTimer } from './store.ts';

/** Minutes from now, the end of the current track, or off. */
export type SleepChoice = { minutes: number } | 'end-of-track' | null;

export function resolveSleepChoice(choice: SleepChoice, now: number): SleepTimer | null {
  if (choice === null) return null;
  if (choice === 'end-of-track') return { kind: 'end-of-track' };
  const { minutes } = choice;
  return Number.isFinite(minutes) && minutes > 0
    ? { kind: 'at', endsAt: now + minutes * 60_000 }
    : null;
}

/** The end of a track is the engine's to notice; this one watches the hour. */
export function createSleepTimer(store: PlayerStore, clock: Clock, pause: () => void) {
  let cancel: (() => void) | null = null;
  let armed: SleepTimer | null = null;

  function arm(): void {
    const { sleepTimer } = store.get();
    if (sleepTimer === armed) return;
    cancel?.();
    cancel = null;
    armed = sleepTimer;
    if (sleepTimer?.kind === 'at')
      cancel = clock.after(Math.max(0, sleepTimer.endsAt - clock.now()), fallAsleep);
  }

  function fallAsleep(): void {
    patchState(store, { sleepTimer: null });
    pause();
  }

  const unsubscribe = store.subscribe(arm);
  return {
    set: (choice: SleepChoice) =>
      patchState(store, { sleepTimer: resolveSleepChoice(choice, clock.now()) }),
    dispose() {
      unsubscribe();
      cancel?.();
    },
  };
}
