import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import type { Track } from '#contract/tracks.ts';
import type { Clock } from '#web/player/clock.ts';
import { limitCrossfade } from '#web/player/audio/crossfade.ts';
import type { SavedVisit } from '#web/player/machine/events.ts';
import { emptyQueue, isIndexOf, type Queue } from '#web/player/machine/queue.ts';
import { isAmount, parseTrack } from '#web/player/parse-track.ts';
import type { PlayerState, PlayerStore } from '#web/player/store.ts';
import { DEFAULT_VOLUME, limitVolume } from '#web/player/machine/volume.ts';

export const PLAYER_KEY = 'player';
const VERSION = 1;
const MAX_QUEUE = 500;
/** How much of a longer queue is kept from before the current track. */
const MAX_EARLIER = 100;
const MAX_SOURCE = 200;
const WRITE_DELAY_MS = 500;
const TIME_STEP_SECONDS = 5;

export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What a reload restores, always silently. */
export type SavedPlayer = SavedVisit & {
  /** When the position last changed on this device. */
  movedAt: number;
};

const SETTINGS = [
  'volume',
  'volumeBeforeMute',
  'crossfadeSeconds',
] as const satisfies (keyof PlayerState)[];

function serializePosition(state: PlayerState, movedAt: number) {
  const { queue, currentTrackIndex: index } = state;
  const first = Math.max(0, Math.min(index - MAX_EARLIER, queue.length - MAX_QUEUE));
  return {
    track: state.currentTrack,
    queue: queue.slice(first, first + MAX_QUEUE),
    index: index - first,
    source: state.source,
    queuedIds: state.queuedIds,
    time: state.currentTime,
    movedAt,
  };
}

export const serializePlayer = (state: PlayerState, movedAt: number): string =>
  JSON.stringify({
    version: VERSION,
    ...serializePosition(state, movedAt),
    ...Object.fromEntries(SETTINGS.map((key) => [key, state[key]])),
  });

const hasSameTracks = (some: readonly Track[], others: readonly Track[]): boolean =>
  some === others ||
  (some.length === others.length && some.every(({ id }, index) => id === others[index]?.id));

/** A newer copy of the same track is still the same position. */
const isSamePosition = (written: PlayerState, now: PlayerState): boolean =>
  written.currentTrack?.id === now.currentTrack?.id &&
  written.currentTrackIndex === now.currentTrackIndex &&
  written.source === now.source &&
  written.queuedIds.join() === now.queuedIds.join() &&
  hasSameTracks(written.queue, now.queue);

const findChangedSettings = (written: PlayerState, now: PlayerState) =>
  SETTINGS.filter((key) => written[key] !== now[key]);

/** This tab's changes since it last wrote, merged into what all tabs have saved. */
function mergePlayer(
  text: string | null,
  written: PlayerState,
  now: PlayerState,
  movedAt: number,
): string {
  const saved = parseObject(text);
  const hasMoved = !isSamePosition(written, now) || written.currentTime !== now.currentTime;
  return JSON.stringify({
    ...(saved?.version === VERSION && saved),
    version: VERSION,
    ...(hasMoved && serializePosition(now, movedAt)),
    ...Object.fromEntries(findChangedSettings(written, now).map((key) => [key, now[key]])),
  });
}

/** Null for any other version; invalid parts are left out. */
export function parsePlayer(text: string | null): SavedPlayer | null {
  const raw = parseObject(text);
  if (raw?.version !== VERSION) return null;
  const currentTrack = parseTrack(raw.track);
  const duration = currentTrack?.duration ?? 0;
  const reachable = currentTrack?.access === 'preview' ? PREVIEW_SECONDS : duration;
  return {
    currentTrack,
    // The queue of a closed player is gone: the next track must not bring it back.
    ...(currentTrack ? parseQueue(raw) : emptyQueue),
    currentTime: Math.min(readNumber(raw.time, 0), reachable),
    duration,
    volume: limitVolume(readNumber(raw.volume, DEFAULT_VOLUME), DEFAULT_VOLUME),
    volumeBeforeMute: limitVolume(readNumber(raw.volumeBeforeMute, DEFAULT_VOLUME), DEFAULT_VOLUME),
    crossfadeSeconds: limitCrossfade(readNumber(raw.crossfadeSeconds, 0)),
    movedAt: readNumber(raw.movedAt, 0),
  };
}

function parseQueue(raw: Record<string, unknown>): Queue {
  const entries = readArray(raw.queue).slice(0, MAX_QUEUE);
  const queue = entries.map(parseTrack).filter((track) => track !== null);
  const isComplete = queue.length === entries.length;
  const queuedIds = readArray(raw.queuedIds).slice(0, MAX_QUEUE);
  return {
    queue,
    currentTrackIndex: isComplete && isIndexOf(queue, raw.index) ? raw.index : -1,
    source: parseSource(raw.source),
    queuedIds: [...new Set(queue.map(({ id }) => id))].filter((id) => queuedIds.includes(id)),
  };
}

/** Null means that the listener queued everything. Earlier versions saved no source. */
function parseSource(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? value.slice(0, MAX_SOURCE) : '';
}

const readArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export function parseObject(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const readNumber = (value: unknown, fallback: number): number =>
  isAmount(value) ? value : fallback;

const isChanged = (written: PlayerState, now: PlayerState): boolean =>
  !isSamePosition(written, now) || findChangedSettings(written, now).length > 0;

const isWorthWriting = (written: PlayerState, now: PlayerState): boolean =>
  isChanged(written, now) ||
  written.isPlaying !== now.isPlaying ||
  Math.abs(written.currentTime - now.currentTime) >= TIME_STEP_SECONDS;

/** Loads and saves the visit. Playback also works in a browser that blocks storage. */
export function createPersistence(
  store: PlayerStore,
  storage: KeyValueStorage,
  clock: Clock,
  readMovedAt: () => number,
) {
  let written = store.get();
  let cancel: (() => void) | null = null;

  function markSaved(): void {
    cancel?.();
    cancel = null;
    written = store.get();
  }

  const readText = () => tryOrUndefined(() => storage.getItem(PLAYER_KEY)) ?? null;

  function write(): void {
    const before = written;
    markSaved();
    tryOrUndefined(() =>
      storage.setItem(PLAYER_KEY, mergePlayer(readText(), before, written, readMovedAt())),
    );
  }

  const unsubscribe = store.subscribe(() => {
    if (!cancel && isWorthWriting(written, store.get()))
      cancel = clock.after(WRITE_DELAY_MS, write);
  });
  return {
    load: () => parsePlayer(readText()),
    /** The current state is what is saved: nothing in it is a change of this tab. */
    markSaved,
    /** Writes pending changes immediately, before the page is closed. */
    flush(): void {
      const now = store.get();
      if (isChanged(written, now) || written.currentTime !== now.currentTime) write();
    },
    /** Deletes the saved visit, for a shared device after logging out. */
    clear(): void {
      markSaved();
      tryOrUndefined(() => storage.removeItem(PLAYER_KEY));
    },
    dispose(): void {
      cancel?.();
      unsubscribe();
    },
  };
}

export function tryOrUndefined<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
