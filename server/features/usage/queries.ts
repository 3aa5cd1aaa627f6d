import type { Db } from '../../db/connect.ts';
import type { HeardDaysTable } from '../../db/types/usage-tables.ts';
import { compareColumns } from '../../db/keyset.ts';

type Days = {
  fromDay: string;
  toDay: string;
  /** Only this track. */
  trackId?: string;
};

/** Spans of some thousand plays are parsed at once. */
const PAGE_SIZE = 500;

/** Every row of these days, page by page, by day. */
export async function* listHeardDays(
  db: Db,
  { fromDay, toDay, trackId }: Days,
): AsyncGenerator<HeardDaysTable> {
  let last: HeardDaysTable | undefined;
  do {
    let query = db
      .selectFrom('heard_days')
      .selectAll()
      .where('day', '>=', last?.day ?? fromDay)
      .where('day', '<=', toDay);
    if (trackId !== undefined) query = query.where('track_id', '=', trackId);
    if (last)
      query = query.where(
        compareColumns(['day', 'track_id', 'kind', 'until_at'], '>', [
          last.day,
          last.track_id,
          last.kind,
          last.until_at,
        ]),
      );
    const rows = await query
      .orderBy('day')
      .orderBy('track_id')
      .orderBy('kind')
      .orderBy('until_at')
      .limit(PAGE_SIZE)
      .execute();
    yield* rows;
    last = rows.length < PAGE_SIZE ? undefined : rows.at(-1);
  } while (last);
}

export const listUsageDays = (db: Db, { fromDay, toDay }: Days) =>
  db
    .selectFrom('usage_days')
    .selectAll()
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .execute();

/** When the audio of tracks was replaced, the earliest first. */
export const listReplacements = (db: Db, trackId?: string) => {
  const query = db.selectFrom('past_tracklists').select(['track_id', 'until_at']);
  return (trackId === undefined ? query : query.where('track_id', '=', trackId))
    .orderBy('track_id')
    .orderBy('until_at')
    .execute();
};
