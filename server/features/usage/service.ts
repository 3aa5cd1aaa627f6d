import type { Db } from '../../db/connect.ts';
import type { HeardKind } from '../../db/types/usage-tables.ts';
import type { Span } from './measure-entries.ts';
import { listHeardDays, listReplacements, listUsageDays } from './queries.ts';

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

/**
 * What was heard on these days, both included, by day. Days are missing until they are added up, and
 * one can change later: a page that stayed open for days may still report what was heard in it.
 */
export async function* readHeard(
  db: Db,
  days: { fromDay: string; toDay: string; trackId?: string },
): AsyncGenerator<Heard> {
  const replacements = await readReplacements(db, days.trackId);
  const ends = new Map((await listUsageDays(db, days)).map(({ day, to_at }) => [day, to_at]));
  for await (const row of listHeardDays(db, days)) {
    // Without one of its own, it is the audio with which the day ended.
    const lastAt = (ends.get(row.day) ?? 0) - 1;
    yield {
      day: row.day,
      trackId: row.track_id,
      kind: row.kind,
      spans: JSON.parse(row.spans) as Span[],
      plays: row.plays,
      listenedMs: row.listened_ms,
      unplacedMs: row.unplaced_ms,
      until: row.until_at || findUntil(replacements.get(row.track_id) ?? [], lastAt),
    };
  }
}
