import {
  GAP_TRACKS_SHOWN,
  HEARD_KINDS,
  USAGE_GAPS,
  type UsageGap,
  type UsageOutlook,
} from '#contract/admin/usage-reports.ts';
import { startOfDay } from '#contract/rules/days.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { addDays, type DayRange } from '#contract/rules/report-days.ts';
import { findGaps, NO_DETAILS } from '#contract/tracklists/recording.ts';
import { readEntries, type Entry } from '../../db/read-chapters.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { readTotals } from '../books/service.ts';
import { toDetails } from '../recordings/service.ts';
import { listHeardTracklists } from '../usage/service.ts';
import {
  findLastTerritory,
  listPastTracklists,
  listTracks,
  listRecordings,
  listRepeatedIsrcs,
  listReplaced,
  sumHeard,
  type TrackRow,
  type RecordingRow,
} from './queries.ts';

/** The country of the currency that everything is sold in. */
const TERRITORY = 'South Africa';

type Count = { count: number; past: number };
type Found = Map<UsageGap, ({ track: TrackRow } & Count)[]>;

/** A tracklist that was heard: the present one, or that of audio which has been replaced. */
type HeardTracklist = { entries: Entry[]; isPast: boolean };

/** Those of each mix, as its report will have them. */
async function readTracklists(
  db: Db,
  { from, to }: DayRange,
  tracks: readonly TrackRow[],
): Promise<Map<string, HeardTracklist[]>> {
  const heard = Map.groupBy(
    await listHeardTracklists(db, { fromDay: from, toDay: to }),
    ({ trackId }) => trackId,
  );
  const past = new Map(
    (await listPastTracklists(db, heard.keys())).map((row) => [
      `${row.track_id} ${row.until_at}`,
      readEntries(row),
    ]),
  );
  return new Map(
    tracks.map((track) => [
      track.id,
      (heard.get(track.id) ?? [{ until: null }]).map(({ until }) => {
        const entries = past.get(`${track.id} ${until}`);
        return { entries: entries ?? readEntries(track), isPast: entries !== undefined };
      }),
    ]),
  );
}

/** What its tracklist lacks, entry by entry. */
function* listEntryGaps(
  chapters: readonly Entry[],
  recordings: ReadonlyMap<string, RecordingRow>,
  repeated: ReadonlySet<string>,
): Generator<UsageGap> {
  if (chapters.length === 0) yield 'no-tracklist';
  for (const { at, artist, recordingId } of chapters) {
    const row = recordings.get(recordingId ?? '');
    yield* findGaps({
      at,
      artist: row ? row.artist : artist,
      details: row ? toDetails(row) : NO_DETAILS,
    });
    if (row?.isrc && repeated.has(row.isrc)) yield 'repeated-isrc';
  }
}

/** What a report of these days would say and lack. Cheap: what was heard where isn't looked at. */
export async function findOutlook(deps: Deps, period: DayRange): Promise<UsageOutlook> {
  const { database, config } = deps;
  const { db } = database;
  const sums = await sumHeard(db, period);
  const tracks = await listTracks(
    db,
    sums.map(({ track_id }) => track_id),
  );
  const tracklists = await readTracklists(db, period, tracks);
  const entries = [...tracklists.values()].flat().flatMap((tracklist) => tracklist.entries);
  const recordings = new Map(
    (
      await listRecordings(
        db,
        entries.flatMap(({ recordingId }) => recordingId ?? []),
      )
    ).map((row) => [row.id, row]),
  );
  const repeated = await listRepeatedIsrcs(db);
  const replaced = new Set(
    await listReplaced(
      db,
      startOfDay(period.from, config.timeZone),
      startOfDay(addDays(period.to, 1), config.timeZone),
    ),
  );
  const sumsOf = Map.groupBy(sums, ({ track_id }) => track_id);
  const found: Found = new Map();
  for (const track of tracks.toSorted((a, b) => b.year - a.year || b.week - a.week)) {
    const counts = new Map<UsageGap, Count>();
    const add = (gap: UsageGap, more: number, isPast = false) => {
      if (more === 0) return;
      const { count, past } = counts.get(gap) ?? { count: 0, past: 0 };
      counts.set(gap, { count: count + more, past: past + (isPast ? more : 0) });
    };
    for (const { entries: chapters, isPast } of tracklists.get(track.id) ?? [])
      for (const gap of listEntryGaps(chapters, recordings, repeated)) add(gap, 1, isPast);
    if (replaced.has(track.id)) add('replaced', 1);
    for (const { kind, plays, unplaced } of sumsOf.get(track.id) ?? []) {
      add('unplaced', Math.round(unplaced / 1000));
      if (kind === 'subsonic' || kind === 'podcast') add('estimates', plays);
    }
    for (const [gap, count] of counts)
      found.set(gap, [...(found.get(gap) ?? []), { track, ...count }]);
  }
  const { sales, refunds, net } = await readTotals(deps, period);
  return {
    ...period,
    totals: {
      tracks: tracks.length,
      entries: entries.length,
      heard: Object.fromEntries(
        HEARD_KINDS.map((kind) => {
          const of = sums.filter((sum) => sum.kind === kind);
          const plays = of.reduce((all, sum) => all + sum.plays, 0);
          const listened = of.reduce((all, sum) => all + sum.listened, 0);
          return [kind, { plays, seconds: Math.round(listened / 1000) }];
        }),
      ) as UsageOutlook['totals']['heard'],
    },
    gaps: USAGE_GAPS.flatMap((gap) => {
      const all = found.get(gap);
      if (!all) return [];
      return {
        gap,
        count: all.reduce((sum, { count }) => sum + count, 0),
        trackCount: all.length,
        tracks: all.slice(0, GAP_TRACKS_SHOWN).map(({ track, count, past }) => ({
          id: track.id,
          title: track.title,
          weekNumber: track.week,
          year: track.year,
          count,
          past,
          isDeleted: track.deleted_at !== null,
        })),
      };
    }),
    territory: (await findLastTerritory(db)) ?? TERRITORY,
    currency: CURRENCY,
    revenue: {
      calculated: net.excluding,
      sales: sales.excluding,
      refunds: refunds.excluding,
    },
  };
}
