import { browserClock } from './clock.ts';
import { createPlayer, type Player, type PlayerCallbacks } from './create-player.ts';
import { createElementOutput } from './element-output.ts';
import { attempt, PLAYER_KEY } from './persistence.ts';

import { createStoredPositions, type ResumePositions } from './resume-positions.ts';
import { TABS_CHANNEL } from './tabs.ts';

export const PREVIEW_ENDED_EVENT = 'preview-ended';
export const PLAYBACK_HALTED_EVENT = 'playback-halted';

type BrowserPlayerOptions = PlayerCallbacks & {
  /** Shown by the device beside the title. */
  siteName: string;
};

/** Not in every browser, and so not in the types. */
type SavingNavigator = Navigator & { connection?: { saveData?: boolean } };

const noPositions: ResumePositions = { read: () => null, save: () => {}, erase: () => {} };

/** The player on this page's own devices. One per page. */
export function createBrowserPlayer({ siteName, ...callbacks }: BrowserPlayerOptions): Player {
  // Reading the property alone throws where the browser blocks storage.
  const storage = attempt(() => window.localStorage) ?? null;
  return createPlayer(
    {
      output: createElementOutput(),
      spare: createElementOutput(),
      clock: browserClock,
      storage,
      positions: storage ? createStoredPositions(storage) : noPositions,
      tabs:
        'BroadcastChannel' in window
          ? {
              channel: new BroadcastChannel(TABS_CHANNEL),
              tab: Math.random().toString(36).slice(2),
            }
          : null,
      mediaSession:
        'mediaSession' in navigator
          ? {
              session: navigator.mediaSession,
              artist: siteName,
              createMetadata: (init) => new MediaMetadata(init),
            }
          : null,
      savesData: () => (navigator as SavingNavigator).connection?.saveData ?? false,
      isOnline: () => navigator.onLine,
      announceHalt: () => window.dispatchEvent(new Event(PLAYBACK_HALTED_EVENT)),
      announcePreviewEnd: (track) =>
        window.dispatchEvent(
          new CustomEvent(PREVIEW_ENDED_EVENT, { detail: { trackId: track.id } }),
        ),
      onLeave(listener) {
        window.addEventListener('pagehide', listener);
        return () => window.removeEventListener('pagehide', listener);
      },
      onForgotten(listener) {
        const onChange = ({ key, newValue }: StorageEvent) =>
          key === PLAYER_KEY && newValue === null ? listener() : undefined;
        window.addEventListener('storage', onChange);
        return () => window.removeEventListener('storage', onChange);
      },
      onReturn(listener) {
        const onChange = () => (document.visibilityState === 'visible' ? listener() : undefined);
        document.addEventListener('visibilitychange', onChange);
        return () => document.removeEventListener('visibilitychange', onChange);
      },
      log: (message, cause) => console.error(message, ...(cause === undefined ? [] : [cause])),
    },
    callbacks,
  );
}
