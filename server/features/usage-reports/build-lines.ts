import { HEARD_KINDS, type HeardKind, type UsageTotals } from '#contract/admin/usage-reports.ts';
import { dayOf } from '#contract/rules/days.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import { readEntries, type Entry } from '../../db/read-chapters.ts';
import type { Db } from '../../db/connect.ts';
import { measureEntries, readHeard } from '../usage/service.ts';
import type { UsageLine } from './layouts.ts';
import {
  listTracks,
  listPastTracklists,
  listPlayed,
  listRecordings,
  type TrackRow,
  type RecordingRow,
} from './queries.ts';

type Measured = ReturnType<typeof measureEntries>;

type Sum = { plays: number; listenedMs: number; entries: Measured };

/** What was heard of a mix with one of its tracklists: its audio may be replaced within a period. */
type HeardTrack = {
  track: TrackRow;
  chapters: readonly Entry[];
  seconds: number;
  until: number;
  heard: Partial<Record<HeardKind, Sum>>;
};

const NOTHING = { plays: 0, seconds: 0 };

const newSum = (chapters: readonly Entry[]): Sum => ({
  plays: 0,
  listenedMs: 0,
  entries: chapters.map(() => ({ ...NOTHING })),
});

function addTo(sum: Sum, measured: Readonly<Measured>) {
  sum.entries = sum.entries.map((entry, index) => {
    const more = measured[index];
    return entry && more
      ? { plays: entry.plays + more.plays, seconds: entry.seconds + more.seconds }
      : null;
  });
}

/** Adds up day by day, so that memory holds the tracklists and not what was played. */
async function sumTracks(
  db: Db,
  { from, to }: DayRange,
  signal?: AbortSignal,
): Promise<HeardTrack[]> {
  const played = await listPlayed(db, { from, to });
  const tracks = new Map((await listTracks(db, played)).map((track) => [track.id, track]));
  const past = new Map(
    (await listPastTracklists(db, played)).map((row) => [`${row.track_id} ${row.until_at}`, row]),
  );
  const heard = new Map<string, HeardTrack>();
  for await (const { trackId, kind, spans, plays, listenedMs, until } of readHeard(db, {
    fromDay: from,
    toDay: to,
  })) {
    signal?.throwIfAborted();
    const track = tracks.get(trackId);
    if (!track) continue;
    const key = `${trackId} ${until}`;
    let of = heard.get(key);
    if (!of) {
      const tracklist = past.get(key) ?? track;
      of = {
        track,
        chapters: readEntries(tracklist),
        seconds: tracklist.duration_ms / 1000,
        until: until ?? Infinity,
        heard: {},
      };
      heard.set(key, of);
    }
    const sum = (of.heard[kind] ??= newSum(of.chapters));
    sum.plays += plays;
    sum.listenedMs += listenedMs;
    // Of a file that a podcast app asked for, every entry was played once, and nobody knows how long.
    if (kind !== 'podcast') addTo(sum, measureEntries(of.chapters, of.seconds, spans));
  }
  return [...heard.values()].toSorted(compareTracks);
}

/** The newest mixes first; before its audio was replaced, then after. */
const compareTracks = (a: HeardTrack, b: HeardTrack): number =>
  b.track.year - a.track.year ||
  b.track.week - a.track.week ||
  (a.track.id < b.track.id ? -1 : Number(a.track.id > b.track.id)) ||
  a.until - b.until;

const heardOfEntry = (kind: HeardKind, sum: Sum | undefined, index: number) => {
  if (!sum) return NOTHING;
  if (kind === 'podcast') return { plays: sum.plays, seconds: null };
  return sum.entries[index] ?? { plays: null, seconds: null };
};

const mapKinds = <T>(read: (kind: HeardKind) => T) =>
  Object.fromEntries(HEARD_KINDS.map((kind) => [kind, read(kind)])) as Record<HeardKind, T>;

const toSeconds = ({ listenedMs }: Sum): number => Math.round(listenedMs / 1000);

/** What was heard before the first entry, or where nobody knows in which entry. */
const secondsOutside = (kind: HeardKind, sum: Sum | undefined): number =>
  sum && kind !== 'podcast'
    ? toSeconds(sum) - sum.entries.reduce((all, entry) => all + (entry?.seconds ?? 0), 0)
    : 0;

type Lines = { lines: UsageLine[]; totals: UsageTotals };

/** The lines of a report of these days, and what they add up to. */
export async function buildLines(
  db: Db,
  period: DayRange,
  timeZone: string,
  signal?: AbortSignal,
): Promise<Lines> {
  const heard = await sumTracks(db, period, signal);
  const recordingIds = heard.flatMap(({ chapters }) =>
    chapters.flatMap(({ recordingId }) => recordingId ?? []),
  );
  const recordings = new Map((await listRecordings(db, recordingIds)).map((row) => [row.id, row]));
  const lines = heard.flatMap((track) => listLines(track, recordings, timeZone));
  return {
    lines,
    totals: {
      tracks: new Set(heard.map(({ track }) => track.id)).size,
      entries: lines.filter(({ line }) => line === 'entry').length,
      heard: mapKinds((kind) => {
        const sums = heard.flatMap((track) => track.heard[kind] ?? []);
        return {
          plays: sums.reduce((all, { plays }) => all + plays, 0),
          seconds: sums.reduce((all, sum) => all + toSeconds(sum), 0),
        };
      }),
      outside: lines
        .filter(({ line }) => line === 'outside')
        .flatMap(({ heard: of }) => HEARD_KINDS.map((kind) => of[kind].seconds ?? 0))
        .reduce((all, seconds) => all + seconds, 0),
    },
  };
}

/** A mix that was made a draft again has no release time, but was out when it was heard. */
const findRelease = (track: TrackRow): number | null =>
  track.publish_at ??
  track.restore_publish_at ??
  track.taken_down_release ??
  // On the day of its release, or when subscribers could hear it first.
  track.announced_at;

function listLines(
  { track, chapters, heard }: HeardTrack,
  recordings: ReadonlyMap<string, RecordingRow>,
  timeZone: string,
): UsageLine[] {
  const releasedAt = findRelease(track);
  const rest = {
    trackId: track.id,
    recordingId: null,
    track: track.title,
    released: releasedAt === null ? null : dayOf(releasedAt, timeZone),
    position: null,
    at: null,
    title: null,
    version: null,
    performer: null,
    composer: null,
    publisher: null,
    label: null,
    isrc: null,
    iswc: null,
    isOwn: false,
  };
  if (chapters.length === 0)
    return [
      {
        ...rest,
        line: 'no-tracklist',
        heard: mapKinds((kind) => {
          const sum = heard[kind];
          if (!sum) return NOTHING;
          return { plays: sum.plays, seconds: kind === 'podcast' ? null : toSeconds(sum) };
        }),
      },
    ];
  const entries = chapters.map(({ at, artist, title, recordingId }, index): UsageLine => {
    const recording = recordings.get(recordingId ?? '');
    return {
      ...rest,
      line: 'entry',
      recordingId: recording?.id ?? null,
      position: index + 1,
      at: at === null ? null : Math.round(at),
      title: recording?.title ?? title,
      version: recording?.version ?? null,
      performer: recording ? recording.artist : artist,
      composer: recording?.composer ?? null,
      publisher: recording?.publisher ?? null,
      label: recording?.label ?? null,
      isrc: recording?.isrc ?? null,
      iswc: recording?.iswc ?? null,
      isOwn: recording?.is_own === 1,
      heard: mapKinds((kind) => heardOfEntry(kind, heard[kind], index)),
    };
  });
  const outside = mapKinds((kind) => ({
    plays: null,
    seconds: secondsOutside(kind, heard[kind]),
  }));
  if (HEARD_KINDS.every((kind) => outside[kind].seconds === 0)) return entries;
  return [...entries, { ...rest, line: 'outside', heard: outside }];
}
