import type { Clock } from '#web/player/clock.ts';
import type { PlayerStore } from '#web/player/store.ts';

export const TABS_CHANNEL = 'player';

/** The part of a BroadcastChannel that is needed. */
export type TabsChannel = {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', callback: (event: { data: unknown }) => void): void;
  close(): void;
};

type TabStart = { readonly tab: string; readonly at: number };

/** The later start wins; within a millisecond the greater tab name, so that all tabs agree. */
export const isLaterStart = (theirs: TabStart, mine: TabStart): boolean =>
  theirs.at === mine.at ? theirs.tab > mine.tab : theirs.at > mine.at;

export function parseTabStart(message: unknown): TabStart | null {
  if (typeof message !== 'object' || message === null) return null;
  const { type, tab, at } = message as Record<string, unknown>;
  const isStart = type === 'started' && typeof tab === 'string' && Number.isFinite(at);
  return isStart ? { tab, at: at as number } : null;
}

type Options = {
  store: PlayerStore;
  channel: TabsChannel;
  tab: string;
  clock: Clock;
  pause(): void;
};

/** Starting here pauses the other tabs. Pauses aren't sent, so tabs never answer each other. */
export function pauseOtherTabs({ store, channel, tab, clock, pause }: Options): () => void {
  let wasPlaying = store.get().isPlaying;
  let mine: TabStart | null = null;

  const unsubscribe = store.subscribe(() => {
    const { isPlaying } = store.get();
    if (isPlaying && !wasPlaying) {
      mine = { tab, at: clock.now() };
      channel.postMessage({ type: 'started', ...mine });
    }
    if (!isPlaying) mine = null;
    wasPlaying = isPlaying;
  });

  channel.addEventListener('message', ({ data }) => {
    const theirs = parseTabStart(data);
    if (!theirs || theirs.tab === tab) return;
    const { isPlaying, isStarting } = store.get();
    if ((isPlaying || isStarting) && (!mine || isLaterStart(theirs, mine))) pause();
  });

  return () => {
    unsubscribe();
    channel.close();
  };
}
