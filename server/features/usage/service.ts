import { dayOf } from '#contract/rules/days.ts';
import { writeInBackground } from '../../background/background-writes.ts';
import type { Db, Tx } from '../../db/connect.ts';
import { hashForDay } from '../../db/daily-hash.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { HeardDaysTable, HeardKind } from '../../db/types/usage-tables.ts';
import type { Deps } from '../../deps.ts';
import type { Span } from './measure-entries.ts';
import {
  insertPastTracklist,
  listHeardDays,
  listReplacedDays,
  listReplacements,
  listUsageDays,
  savePodcastRequest,
} from './queries.ts';

export { measureEntries } from './measure-entries.ts';

/** What was heard of a mix on a day. */
export type Heard = {
  day: string;
  trackId: string;
  kind: HeardKind;
  /** Sorted; one per play that can be placed in the mix. None for `podcast`: how much is unknown. */
  spans: Span[];
  /** For `podcast`, how many feeds asked for the file: every entry of it was played as often. */
  plays: number;
  listenedMs: number;
  unplacedMs: number;
  /** Which of `past_tracklists` they heard; null for the tracklist that the track has now. */
  until: number | null;
};

/** Finds which audio was heard at a time: when the first one after it was replaced, or null. */
const findUntil = (replacedAt: readonly number[], at: number): number | null =>
  replacedAt.find((until) => until > at) ?? null;

async function readReplacements(
  db: Db,
  trackId?: string,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const replacements = new Map<string, number[]>();
  for (const { track_id, until_at } of await listReplacements(db, trackId))
    replacements.set(track_id, [...(replacements.get(track_id) ?? []), until_at]);
  return replacements;
}

type DayOfTrack = Pick<HeardDaysTable, 'day' | 'track_id' | 'until_at'>;

/** Says which of `past_tracklists` a row of these days heard; null is the present one. */
async function loadUntil(db: Db, days: { fromDay: string; toDay: string; trackId?: string }) {
  const replacements = await readReplacements(db, days.trackId);
  const ends = new Map((await listUsageDays(db, days)).map(({ day, to_at }) => [day, to_at]));
  return ({ day, track_id, until_at }: DayOfTrack): number | null =>
    // Without one of its own, it is the audio with which the day ended.
    until_at || findUntil(replacements.get(track_id) ?? [], (ends.get(day) ?? 0) - 1);
}

/** Of tracks whose audio was replaced at any time: each of their tracklists that was heard. */
export async function listHeardTracklists(
  db: Db,
  days: { fromDay: string; toDay: string },
): Promise<{ trackId: string; until: number | null }[]> {
  const findUntilOf = await loadUntil(db, days);
  const heard = new Map<string, { trackId: string; until: number | null }>();
  for (const row of await listReplacedDays(db, days)) {
    const until = findUntilOf(row);
    heard.set(`${row.track_id} ${until}`, { trackId: row.track_id, until });
  }
  return [...heard.values()];
}

/**
 * What was heard on these days, both included, by day. Days are missing until they are added up, and
 * one can change later: a page that stayed open for days may still report what was heard in it.
 */
export async function* readHeard(
  db: Db,
  days: { fromDay: string; toDay: string; trackId?: string },
): AsyncGenerator<Heard> {
  const findUntilOf = await loadUntil(db, days);
  for await (const row of listHeardDays(db, days))
    yield {
      day: row.day,
      trackId: row.track_id,
      kind: row.kind,
      spans: JSON.parse(row.spans) as Span[],
      plays: row.plays,
      listenedMs: row.listened_ms,
      unplacedMs: row.unplaced_ms,
      until: findUntilOf(row),
    };
}

/** Keeps the tracklist of audio that is replaced now, for the plays that began before. */
export const keepTracklist = (
  tx: Tx,
  { id, chapters, duration_ms }: Pick<TracksTable, 'id' | 'chapters' | 'duration_ms'>,
  now: number,
) => insertPastTracklist(tx, { track_id: id, until_at: now, chapters, duration_ms });

/**
 * Notes that a feed asked for a mix, once per day: an estimate of a play. The hash keeps a feed from
 * being counted twice, and says nothing once the key of the day is deleted.
 */
export function recordPodcastRequest(
  { database: { db }, clock, config, log }: Pick<Deps, 'database' | 'clock' | 'config' | 'log'>,
  { userId, trackId }: { userId: string; trackId: string },
): void {
  const day = dayOf(clock.now(), config.timeZone);
  writeInBackground(log, 'count the request of a podcast app', async () => {
    const [feed = ''] = await hashForDay(db, day, [`feed ${userId} ${trackId}`]);
    await savePodcastRequest(db, { day, trackId, feed });
  });
}
