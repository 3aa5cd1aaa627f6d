import type { Chapter, Progress, Track, TrackDetail } from '#contract/tracks.ts';
import type { ProgressTable } from '../../db/listening-tables.ts';
import type { RenditionName, RenditionsTable, TracksTable } from '../../db/tables.ts';

/** The URL contains the ingest run and the start of a preview, so that no cache serves a replaced file. */
function mediaUrl(file: RenditionsTable | undefined): string | null {
  if (!file) return null;
  const [runId = '', , offset = ''] = file.key.split('/').at(-1)?.split(/[-.]/) ?? [];
  const version = file.name === 'preview' && /^\d+$/.test(offset) ? `-${offset}` : '';
  return `/media/tracks/${file.track_id}/${file.name}?v=${runId.slice(-8)}${version}`;
}

/** Relations by track id, loaded for all tracks at once: a playlist can have a thousand. */
export type TrackContext = {
  files: ReadonlyMap<string, readonly RenditionsTable[]>;
  progress: ReadonlyMap<string, ProgressTable>;
  favorites: ReadonlySet<string>;
  hasFullAccess: boolean;
};

function presentProgress(row: ProgressTable | undefined): Progress | null {
  if (!row) return null;
  return {
    position: row.position_ms / 1000,
    isFinished: row.is_finished === 1,
    listened: row.listened_ms / 1000,
    listenedAt: row.last_listened_at,
  };
}

export function presentTrack(
  track: TracksTable,
  { files, progress, favorites, hasFullAccess }: TrackContext,
): Track {
  const renditions = files.get(track.id) ?? [];
  const fileOf = (name: RenditionName) => renditions.find((file) => file.name === name);
  const audio = mediaUrl(fileOf(hasFullAccess ? 'stream' : 'preview'));
  if (!audio) throw new Error(`Track ${track.id} is ready but has no audio file.`);
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
    dataSaverUrl: hasFullAccess ? mediaUrl(fileOf('dataSaver')) : null,
    access: hasFullAccess ? 'full' : 'preview',
    previewStart: (track.preview_start_ms ?? 0) / 1000,
    isSubscriberOnly: track.is_subscriber_only === 1,
    publishedAt: track.publish_at ?? 0,
    plays: track.play_count,
    isFavorite: favorites.has(track.id),
    progress: presentProgress(progress.get(track.id)),
  };
}

export function presentTrackDetail(track: TracksTable, context: TrackContext): TrackDetail {
  const sizes = Object.fromEntries(
    (context.files.get(track.id) ?? [])
      .filter((file) => file.name !== 'preview')
      .map(({ name, size }) => [name, size]),
  );
  return {
    ...presentTrack(track, context),
    chapters: JSON.parse(track.chapters) as Chapter[],
    formats: (['mp3', 'flac'] as const).filter((format) => format in sizes),
    sizes,
  };
}
