import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DownloadFormat, Download } from '#contract/downloads.ts';
import { formatFileSize } from '#contract/rules/format.ts';
import type { Track } from '#contract/tracks.ts';
import { downloadMutation, downloadsQuery } from '#web/features/downloads/api.ts';
import { TrackList } from '#web/features/tracks/track-list.tsx';
import { usePages, type TrackPages } from '#web/features/tracks/track-pages.ts';
import { TrackRow, type TrackRowProps } from '#web/features/tracks/track-row.tsx';
import { formatShortDate } from '#web/lib/format/format.ts';
import { readOffers } from '#web/lib/store/boot.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ArrowDownToLine } from '#web/ui/icons.ts';

export function DownloadList() {
  const { downloads, pages } = useDownloadPages();
  const byId = new Map(downloads.map((download) => [download.track.id, download]));
  return (
    <TrackList
      label="Downloads"
      pages={pages}
      empty={<NoDownloads />}
      renderRow={(row) => {
        const download = byId.get(row.track.id);
        return download ? <DownloadRow {...row} download={download} /> : <TrackRow {...row} />;
      }}
    />
  );
}

function useDownloadPages(): { downloads: DownloadedTrack[]; pages: TrackPages } {
  const result = useInfiniteQuery(downloadsQuery);
  const { data } = result;
  const downloads = useMemo(
    () => groupDownloads(data?.pages.flatMap((page) => page.items) ?? []),
    [data],
  );
  const tracks = useMemo(() => downloads.map(({ track }) => track), [downloads]);
  return { downloads, pages: { tracks, ...usePages(result) } };
}

/** `MP3 84 MB, FLAC 410 MB · 12 Nov 2026` */
function describeDownload({ files, downloadedAt }: DownloadedTrack): string {
  const formats = files.map(
    ({ format, size }) =>
      `${format.toUpperCase()} ${size === null ? 'no longer offered' : formatFileSize(size)}`,
  );
  return `${formats.join(', ')} · ${formatShortDate(downloadedAt)}`;
}

function DownloadRow({ download, ...row }: TrackRowProps & { download: DownloadedTrack }) {
  const available = download.files.filter(({ size }) => size !== null);
  const formats = available.map(({ format }) => format);
  const client = useQueryClient();
  const { mutate, isPending } = useMutation(downloadMutation(client, row.track));
  const again = (format: DownloadFormat) => {
    if (!isPending) mutate(format);
  };
  return (
    <TrackRow
      {...row}
      note={describeDownload(download)}
      facts={<DownloadAgainButtons track={row.track} {...{ formats, again, isPending }} />}
      menuItems={formats.map((format) => ({
        icon: ArrowDownToLine,
        text: `Download ${format.toUpperCase()} again`,
        onSelect: () => again(format),
      }))}
    />
  );
}

type DownloadAgainButtonsProps = {
  track: Track;
  formats: readonly DownloadFormat[];
  again: (format: DownloadFormat) => void;
  isPending: boolean;
};

function DownloadAgainButtons({ track, formats, again, isPending }: DownloadAgainButtonsProps) {
  return (
    <span className="flex shrink-0 gap-2">
      {formats.map((format) => (
        <Button
          key={format}
          variant="line"
          size="sm"
          aria-label={`Download ${format.toUpperCase()} again: ${track.title}`}
          aria-disabled={isPending}
          onClick={() => again(format)}
        >
          <ArrowDownToLine />
          {format.toUpperCase()}
        </Button>
      ))}
    </span>
  );
}

function NoDownloads() {
  return (
    <EmptyState
      title="No downloads yet"
      text={
        readOffers().flac
          ? 'Mixes you download appear here, as MP3 or, from a lossless master, as FLAC.'
          : 'Mixes you download appear here, as MP3.'
      }
      link={{ href: '/library', label: 'Open the library' }}
    />
  );
}

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
