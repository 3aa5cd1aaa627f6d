import type { Download, DownloadFormat } from '#contract/downloads.ts';
import type { Track } from '#contract/tracks.ts';

export type DownloadedTrack = {
  track: Track;
  /** Time of the last download in any format. */
  downloadedAt: number;
  files: { format: DownloadFormat; size: number | null }[];
};

/** Each track once, most recent download first, with the downloaded formats. */
export function groupDownloads(downloads: readonly Download[]): DownloadedTrack[] {
  const byTrack = new Map<string, DownloadedTrack>();
  for (const { track, format, size, downloadedAt } of downloads) {
    const entry = byTrack.get(track.id) ?? { track, downloadedAt, files: [] };
    // A download that moved between two pages while they loaded is shown once.
    if (entry.files.every((file) => file.format !== format)) entry.files.push({ format, size });
    byTrack.set(track.id, entry);
  }
  return [...byTrack.values()];
}
