import { expect, it } from 'vitest';
import type { Download, DownloadFormat } from '#contract/downloads.ts';
import { buildTrack } from '#web/testing/build-track.ts';
import { groupDownloads } from './download-list.tsx';

const download = (id: string, format: DownloadFormat, downloadedAt: number): Download => ({
  track: buildTrack(id),
  format,
  size: downloadedAt,
  downloadedAt,
  times: 1,
});

it('lists each track once, newest first, with every downloaded format', () => {
  const groups = groupDownloads([
    download('a', 'mp3', 50),
    download('b', 'mp3', 40),
    download('a', 'flac', 30),
    // The same download again: it moved while the pages loaded.
    download('a', 'mp3', 20),
  ]);
  expect(groups.map(({ track, downloadedAt }) => [track.id, downloadedAt])).toEqual([
    ['a', 50],
    ['b', 40],
  ]);
  expect(groups[0]?.files).toEqual([
    { format: 'mp3', size: 50 },
    { format: 'flac', size: 30 },
  ]);
});
