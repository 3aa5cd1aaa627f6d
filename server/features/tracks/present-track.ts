import type { ArtistName } from '#contract/artists/artists.ts';
import {
  findAllowedFiles,
  type AllowedFiles,
  type FileEnds,
} from '#contract/rules/allowed-files.ts';
import { hideTimesPastEnd } from '#contract/rules/tracklist.ts';
import type { Progress, Track, TrackDetail } from '#contract/tracks.ts';
import { readChapters } from '../../db/read-chapters.ts';
import type { RenditionName, RenditionsTable, TracksTable } from '../../db/types/tables.ts';
import type { ViewerStateRow } from './queries.ts';

/** The URL contains the ingest run and the start of a preview, so that no cache serves a replaced file. */
function mediaUrl(file: RenditionsTable | undefined): string | null {
  if (!file) return null;
  const [runId = '', , offset = ''] = file.key.split('/').at(-1)?.split(/[-.]/) ?? [];
  const version = file.name === 'preview' && /^\d+$/.test(offset) ? `-${offset}` : '';
  return `/media/tracks/${file.track_id}/${file.name}?v=${runId.slice(-8)}${version}`;
}

type PublicTrack = Omit<Track, 'plays' | 'isFavorite' | 'progress' | 'unreleased' | 'keeping'>;
type PublicDetail = Pick<TrackDetail, 'chapters' | 'sizes'>;

/** What decides which files may be kept: it ends at a time, so it is asked for with every answer. */
export type FileRules = { ends: FileEnds; now: number };

/** A track with its files, and what listeners with and without full access get of it. */
export class TrackFacts {
  readonly row: Readonly<TracksTable>;
  readonly artists: readonly ArtistName[];
  readonly #files: readonly RenditionsTable[];
  #full: PublicTrack | undefined;
  #preview: PublicTrack | undefined;
  #detail: PublicDetail | undefined;
  /** Of this play version. */
  #plays: { version: string; count: number } | undefined;

  constructor(
    row: TracksTable,
    files: readonly RenditionsTable[],
    artists: readonly ArtistName[] = [],
  ) {
    this.row = row;
    this.artists = artists;
    this.#files = files;
  }

  for(hasFullAccess: boolean): PublicTrack {
    return hasFullAccess
      ? (this.#full ??= this.#present(true))
      : (this.#preview ??= this.#present(false));
  }

  #present(hasFullAccess: boolean): PublicTrack {
    const track = presentPublic(this.row, this.#files, hasFullAccess);
    return this.artists.length > 0 ? { ...track, artists: [...this.artists] } : track;
  }

  findFile(name: RenditionName): RenditionsTable | undefined {
    return this.#files.find((file) => file.name === name);
  }

  /** Undefined if it isn't known for this play version. */
  playsAt(version: string | undefined): number | undefined {
    return this.#plays && this.#plays.version === version ? this.#plays.count : undefined;
  }

  keepPlays(version: string, count: number): void {
    this.#plays = { version, count };
  }

  get detail(): PublicDetail {
    return (this.#detail ??= presentDetail(this.row, this.#files));
  }
}

function presentPublic(
  track: TracksTable,
  files: readonly RenditionsTable[],
  hasFullAccess: boolean,
): PublicTrack {
  const fileOf = (name: RenditionName) => files.find((file) => file.name === name);
  const audio = mediaUrl(fileOf(hasFullAccess ? 'stream' : 'preview'));
  if (!audio) throw new Error(`Track ${track.id} is ready but has no audio file.`);
  return {
    id: track.id,
    title: track.title,
    year: track.year,
    weekNumber: track.week,
    description: track.description,
    genre: track.genre,
    ...(track.series !== null && { series: track.series }),
    bpm: track.bpm,
    duration: track.duration_ms / 1000,
    coverUrl: track.cover_key ? `/media/covers/${track.cover_key.split('/').at(-1)}` : null,
    fileUrl: audio,
    dataSaverUrl: hasFullAccess ? mediaUrl(fileOf('dataSaver')) : null,
    access: hasFullAccess ? 'full' : 'preview',
    ...(hasFullAccess && {
      sizes: { stream: fileOf('stream')?.size, dataSaver: fileOf('dataSaver')?.size },
    }),
    previewStart: (track.preview_start_ms ?? 0) / 1000,
    isSubscriberOnly: track.is_subscriber_only === 1,
    publishedAt: track.publish_at ?? 0,
  };
}

function presentDetail(track: TracksTable, files: readonly RenditionsTable[]): PublicDetail {
  const sizes = Object.fromEntries(
    files.filter((file) => file.name !== 'preview').map(({ name, size }) => [name, size]),
  );
  return {
    chapters: hideTimesPastEnd(readChapters(track), track.duration_ms / 1000),
    sizes,
  };
}

function presentProgress(row: ViewerStateRow): Progress | null {
  if (row.position_ms === null) return null;
  return {
    position: row.position_ms / 1000,
    isFinished: row.is_finished === 1,
    listened: (row.listened_ms ?? 0) / 1000,
    listenedAt: row.last_listened_at ?? 0,
  };
}

/** Left out for a track whose files may be kept. */
const presentKeeping = ({ mp3, saving }: AllowedFiles): Pick<Track, 'keeping'> =>
  mp3 ? {} : { keeping: saving ? 'saving' : 'none' };

/** The files of a track and its tracklist. */
export function presentFiles(
  { row, detail: { chapters, sizes } }: TrackFacts,
  { ends, now }: FileRules,
): Pick<TrackDetail, 'chapters' | 'formats' | 'sizes' | 'isSavingOff'> {
  const allowed = findAllowedFiles(ends, row, now);
  const formats = (['mp3', 'flac'] as const).filter((name) => name in sizes && allowed[name]);
  const { stream, dataSaver } = sizes;
  const kept = Object.fromEntries(formats.map((name) => [name, sizes[name]]));
  return {
    chapters,
    formats,
    sizes: { ...(stream && { stream }), ...(dataSaver && { dataSaver }), ...kept },
    ...(!allowed.saving && { isSavingOff: true as const }),
  };
}

/** As everyone with this access gets it. `addState` adds what a member has done with it. */
export function presentTrack(
  track: TrackFacts,
  hasFullAccess: boolean,
  /** They change with every play. */
  plays: ReadonlyMap<string, number>,
  { ends, now }: FileRules,
): Track {
  const { id, play_count } = track.row;
  return {
    ...track.for(hasFullAccess),
    ...presentKeeping(findAllowedFiles(ends, track.row, now)),
    plays: plays.get(id) ?? play_count,
    isFavorite: false,
    progress: null,
  };
}

export const addState = <T extends Track>(track: T, state: ViewerStateRow | undefined): T =>
  state
    ? { ...track, isFavorite: state.favorite_id !== null, progress: presentProgress(state) }
    : track;
