import type { Chapter, Track, TrackDetail } from '#contract/tracks.ts';
import type { FileKind } from '../../db/tables.ts';
import type { TrackFileRow, TrackRow } from './queries.ts';

/** The ingest's own name stands in the address, so that a replaced file is never taken from a cache. */
function mediaUrl(file: TrackFileRow | undefined): string | null {
  if (!file) return null;
  const [ingestId = ''] = file.key.split('/').at(-1)?.split('-') ?? [];
  return `/media/tracks/${file.track_id}/${file.kind}?v=${ingestId.slice(-8)}`;
}

export function presentTrack(
  track: TrackRow,
  files: readonly TrackFileRow[],
  hasFullAccess: boolean,
): Track {
  const fileOf = (kind: FileKind) =>
    files.find((file) => file.track_id === track.id && file.kind === kind);
  const audio = mediaUrl(fileOf(hasFullAccess ? 'stream' : 'preview'));
  if (!audio) throw new Error(`Track ${track.id} is ready but has no file to hear.`);
  return {
    id: track.id,
    title: track.title,
    year: track.year,
    weekNumber: track.week,
    description: track.description,
    genre: track.genre,
    bpm: track.bpm,
    duration: track.duration_ms / 1000,
    coverUrl: track.cover_key ? `/media/covers/${track.cover_key.split('/').at(-1)}` : null,
    fileUrl: audio,
    dataSaverUrl: hasFullAccess ? mediaUrl(fileOf('saver')) : null,
    access: hasFullAccess ? 'full' : 'preview',
    previewStart: (track.preview_start_ms ?? 0) / 1000,
    isSubscriberOnly: track.is_subscriber_only === 1,
    publishedAt: track.publish_at ?? 0,
    plays: track.play_count,
  };
}

export function presentTrackDetail(
  track: TrackRow,
  files: readonly TrackFileRow[],
  hasFullAccess: boolean,
): TrackDetail {
  return {
    ...presentTrack(track, files, hasFullAccess),
    chapters: JSON.parse(track.chapters) as Chapter[],
    formats: (['mp3', 'flac'] as const).filter((format) =>
      files.some((file) => file.track_id === track.id && file.kind === format),
    ),
  };
}
