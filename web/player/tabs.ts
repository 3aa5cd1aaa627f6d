import type { Clock } from './clock.ts';
import type { PlayerStore } from './store.ts';

export const TABS_CHANNEL = 'player';

/** The part of a BroadcastChannel that is needed. */
export type TabsChannel = {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  close(): void;
};

export type Start = { readonly tab: string; readonly at: number };

/** The later start plays on; of two in the same millisecond the greater name, in every tab alike. */
export const isLaterStart = (theirs: Start, mine: Start): boolean =>
  theirs.at === mine.at ? theirs.tab > mine.tab : theirs.at > mine.at;

export function parseStart(message: unknown): Start | null {
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

/** Starting here pauses the other tabs. A pause is told to nobody, so that no two tabs answer each other. */
export function keepOneTabPlaying({ store, channel, tab, clock, pause }: Options): () => void {
  let wasPlaying = store.get().isPlaying;
  let mine: Start | null = null;

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
    const theirs = parseStart(data);
    if (!theirs || theirs.tab === tab) return;
    const { isPlaying, isStarting } = store.get();
    if ((isPlaying || isStarting) && (!mine || isLaterStart(theirs, mine))) pause();
  });

  return () => {
    unsubscribe();
    channel.close();
  };
}
