import type { Track } from '#contract/tracks.ts';
import { showToast } from '#web/lib/toasts.ts';

/** By the device's own means where it has them, otherwise the link is copied. */
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
    // Whoever closes the device's own sheet has changed their mind.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    showToast({ title: 'Copy this link to share it', description: url });
  }
}

/** Browsers keep the clipboard from pages without TLS. */
async function copyText(text: string): Promise<void> {
  if (!('clipboard' in navigator)) throw new Error('This page cannot reach the clipboard.');
  await navigator.clipboard.writeText(text);
}
