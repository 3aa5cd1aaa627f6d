import type { Track } from '#contract/tracks.ts';
import { showToast } from '#web/lib/toasts.ts';

/** Opens the device's share sheet, or copies the link where there is none. */
export async function shareTrack(track: Pick<Track, 'id' | 'title' | 'weekNumber'>): Promise<void> {
  const url = new URL(`/track/${encodeURIComponent(track.id)}`, window.location.origin).href;
  const title = `${track.title}, week ${track.weekNumber}`;
  try {
    if ('share' in navigator) {
      await navigator.share({ title, url });
      return;
    }
    await copyText(url);
    showToast({ title: 'Link copied', description: url });
  } catch (error) {
    // The user closed the share sheet.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    showToast({ title: 'Copy this link', description: url });
  }
}

/** Browsers offer no clipboard to pages without TLS. */
async function copyText(text: string): Promise<void> {
  if (!('clipboard' in navigator)) throw new Error('Couldn’t copy automatically.');
  await navigator.clipboard.writeText(text);
}
