import { shouldSaveData, type DeviceNavigator } from '#contract/rules/connection.ts';
import { browserClock } from './clock.ts';
import { createPlayer, type Player, type PlayerCallbacks } from './create-player.ts';
import { createElementOutput } from './audio/element-output.ts';
import { tryOrUndefined, PLAYER_KEY } from './session/persistence.ts';

import { createStoredResumePositions, type ResumePositions } from './session/resume-positions.ts';
import { TABS_CHANNEL } from './session/tabs.ts';

export const PREVIEW_ENDED_EVENT = 'preview-ended';

type BrowserPlayerOptions = PlayerCallbacks & {
  /** The device shows it next to the title. */
  siteName: string;
  isServerAway(): boolean;
};

const noPositions: ResumePositions = { find: () => null, save: () => {}, clear: () => {} };

/** The player on top of the browser's APIs. One per page. */
export function createBrowserPlayer({
  siteName,
  isServerAway,
  ...callbacks
}: BrowserPlayerOptions): Player {
  const { connection } = navigator as DeviceNavigator;
  // Even reading the property throws if the browser blocks storage.
  const storage = tryOrUndefined(() => window.localStorage) ?? null;
  return createPlayer(
    {
      output: createElementOutput(),
      spare: createElementOutput(),
      clock: browserClock,
      storage,
      positions: storage ? createStoredResumePositions(storage) : noPositions,
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
      shouldSaveData: () => shouldSaveData(connection),
      onLineChange(callback) {
        connection?.addEventListener?.('change', callback);
        return () => connection?.removeEventListener?.('change', callback);
      },
      isOnline: () => navigator.onLine && !isServerAway(),
      announcePreviewEnd: (track) =>
        window.dispatchEvent(
          new CustomEvent(PREVIEW_ENDED_EVENT, { detail: { trackId: track.id } }),
        ),
      onLeave(callback) {
        window.addEventListener('pagehide', callback);
        return () => window.removeEventListener('pagehide', callback);
      },
      onVisitDeleted(callback) {
        const onChange = ({ key, newValue }: StorageEvent) =>
          key === PLAYER_KEY && newValue === null ? callback() : undefined;
        window.addEventListener('storage', onChange);
        return () => window.removeEventListener('storage', onChange);
      },
      onReturn(callback) {
        const onChange = () => (document.visibilityState === 'visible' ? callback() : undefined);
        document.addEventListener('visibilitychange', onChange);
        return () => document.removeEventListener('visibilitychange', onChange);
      },
      log: (message, cause) => console.error(message, ...(cause === undefined ? [] : [cause])),
    },
    callbacks,
  );
}
