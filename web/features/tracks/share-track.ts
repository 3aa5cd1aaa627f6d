import type { Track } from '#contract/tracks.ts';
import { copyLink } from '#web/lib/copy-link.ts';

/** Opens the device's share sheet, or copies the link where there is none. */
export async function shareTrack(track: Pick<Track, 'id' | 'title' | 'weekNumber'>): Promise<void> {
  const url = new URL(`/track/${encodeURIComponent(track.id)}`, window.location.origin).href;
  if (!('share' in navigator)) return copyLink(url);
  try {
    await navigator.share({ title: `${track.title}, week ${track.weekNumber}`, url });
  } catch (error) {
    const isClosed = error instanceof DOMException && error.name === 'AbortError';
    if (!isClosed) await copyLink(url);
  }
}
