import type { Download, DownloadFormat } from '#contract/downloads.ts';
import type { Track } from '#contract/tracks.ts';

export type DownloadedTrack = {
  track: Track;
  /** The last time of any of its formats. */
  downloadedAt: number;
  files: { format: DownloadFormat; size: number | null }[];
};

/** Each mix once, in the order of its latest download, with the formats that were taken of it. */
export function groupDownloads(downloads: readonly Download[]): DownloadedTrack[] {
  const byTrack = new Map<string, DownloadedTrack>();
  for (const { track, format, size, downloadedAt } of downloads) {
    const known = byTrack.get(track.id) ?? { track, downloadedAt, files: [] };
    // What moved between two pages while they were read is shown once.
    if (known.files.every((file) => file.format !== format)) known.files.push({ format, size });
    byTrack.set(track.id, known);
  }
  return [...byTrack.values()];
}
