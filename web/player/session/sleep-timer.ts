import { MINUTE } from '#contract/rules/time.ts';
import type { Clock } from '#web/player/clock.ts';
import type { Engine } from '#web/player/engine.ts';
import type { SleepTimer } from '#web/player/machine/state.ts';

/** Minutes from now, the end of the current track, or off. */
export type SleepChoice = { minutes: number } | 'end-of-track' | null;

export function resolveSleepChoice(choice: SleepChoice, now: number): SleepTimer | null {
  if (choice === null) return null;
  if (choice === 'end-of-track') return { kind: 'end-of-track' };
  const { minutes } = choice;
  return Number.isFinite(minutes) && minutes > 0
    ? { kind: 'at', endsAt: now + minutes * MINUTE }
    : null;
}

/** Pauses at the chosen time. The end of a track is the state machine's own business. */
export function watchSleepTimer(
  { store, pause, setSleepTimer }: Pick<Engine, 'store' | 'pause' | 'setSleepTimer'>,
  clock: Clock,
): () => void {
  let cancel: (() => void) | null = null;
  let scheduled: SleepTimer | null = null;

  function schedule(): void {
    const { sleepTimer } = store.get();
    if (sleepTimer === scheduled) return;
    cancel?.();
    cancel = null;
    scheduled = sleepTimer;
    if (sleepTimer?.kind === 'at')
      cancel = clock.after(Math.max(0, sleepTimer.endsAt - clock.now()), fallAsleep);
  }

  function fallAsleep(): void {
    setSleepTimer(null);
    pause();
  }

  const unsubscribe = store.subscribe(schedule);
  return () => {
    unsubscribe();
    cancel?.();
  };
}
