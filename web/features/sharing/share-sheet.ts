import type { Track } from '#contract/tracks.ts';
import { copyLink } from './copy-link.ts';

/** A page of this site, and what it is about: `Golden Hour Pressure, week 46`. */
export type Shared = { path: string; name: string };

export const urlOf = ({ path }: Pick<Shared, 'path'>): string => window.location.origin + path;

/** On phones and tablets people share with the device's own list of apps. */
export const isSheetUsual = (): boolean =>
  'share' in navigator && matchMedia('(pointer: coarse)').matches;

/** The device's list of apps. Copies the link if the device can't show it. */
export async function openShareSheet(shared: Shared): Promise<void> {
  const url = urlOf(shared);
  try {
    await navigator.share({ title: shared.name, url });
  } catch (error) {
    const isClosed = error instanceof DOMException && error.name === 'AbortError';
    if (!isClosed) await copyLink(url);
  }
}

/** `Golden Hour Pressure, week 46` */
export const nameTrack = ({ title, weekNumber }: Pick<Track, 'title' | 'weekNumber'>): string =>
  `${title}, week ${weekNumber}`;

/** A track, or a second in it. */
export const buildTrackPath = (trackId: string, second: number | null): string =>
  `/track/${encodeURIComponent(trackId)}${second === null ? '' : `?t=${second}`}`;

export const shareTrack = (
  track: Pick<Track, 'id' | 'title' | 'weekNumber'>,
  second: number | null = null,
): Shared => ({
  path: buildTrackPath(track.id, second),
  name: nameTrack(track),
});
