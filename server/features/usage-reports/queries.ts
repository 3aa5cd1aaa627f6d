import { sql } from 'kysely';

import type { PageQuery } from '#contract/paging.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import type { UsageReportRow } from '../../db/types/usage-report-tables.ts';
import { CursorNumber, paginate } from '../../http/route/paginate.ts';

const reports = (db: Db) =>
  db
    .selectFrom('usage_reports')
    .leftJoin('users', 'users.id', 'usage_reports.made_by')
    .leftJoin('usage_reports as earlier', 'earlier.id', 'usage_reports.previous_id')
    .selectAll('usage_reports')
    .select(['users.username as maker', 'earlier.number as previous']);

export type NamedReport = NonNullable<Awaited<ReturnType<typeof findReport>>>;

export const findReport = (db: Db, id: string) =>
  reports(db).where('usage_reports.id', '=', id).executeTakeFirst();

export const listReports = (db: Db, page: PageQuery) =>
  paginate(reports(db), page, { orderBy: [['usage_reports.number', CursorNumber]] });

type Subject = Pick<UsageReportRow, 'from_day' | 'to_day' | 'layout'>;

const reportsOf = (db: Db, { from_day, to_day, layout }: Subject) =>
  db
    .selectFrom('usage_reports')
    .select('id')
    .where('from_day', '=', from_day)
    .where('to_day', '=', to_day)
    .where('layout', '=', layout)
    .orderBy('number', 'desc');

export const findByRequest = (db: Db, request: string) =>
  db.selectFrom('usage_reports').select('id').where('request', '=', request).executeTakeFirst();

/** One of the same subject that isn't finished. */
export const findUnfinished = (db: Db, report: Subject) =>
  reportsOf(db, report)
    .select(['territory', 'revenue_confirmed'])
    .where('state', '=', 'making')
    .executeTakeFirst();

export const findLastReady = async (db: Db, report: Subject): Promise<string | null> =>
  (await reportsOf(db, report).where('state', '=', 'ready').executeTakeFirst())?.id ?? null;

/** What the operator confirmed last. */
export const findLastTerritory = async (db: Db): Promise<string | undefined> =>
  (
    await db
      .selectFrom('usage_reports')
      .select('territory')
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.territory;

export const findNextNumber = async (db: Db): Promise<number> =>
  (
    await db
      .selectFrom('usage_reports')
      .select(sql<number>`coalesce(max(number), 0) + 1`.as('number'))
      .executeTakeFirstOrThrow()
  ).number;

/** False if somebody took the number, or sent the same form, at the same time. */
export async function insertReport(db: Db, report: UsageReportRow): Promise<boolean> {
  const row = await db
    .insertInto('usage_reports')
    .values(report)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Unless it is finished. */
export const updateReport = (db: Db, id: string, change: Partial<UsageReportRow>) =>
  db
    .updateTable('usage_reports')
    .set(change)
    .where('id', '=', id)
    .where('state', '<>', 'ready')
    .execute();

/** Every mix that was heard on one of these days. */
export const listPlayed = async (db: Db, { from, to }: DayRange): Promise<string[]> =>
  (
    await db
      .selectFrom('heard_days')
      .select('track_id')
      .distinct()
      .where('day', '>=', from)
      .where('day', '<=', to)
      .execute()
  ).map((row) => row.track_id);

export const findUsageDays = (db: Db) =>
  db
    .selectFrom('usage_days')
    .select([sql<string | null>`min(day)`.as('first'), sql<string | null>`max(day)`.as('last')])
    .executeTakeFirstOrThrow();

export const sumHeard = (db: Db, { from, to }: DayRange) =>
  db
    .selectFrom('heard_days')
    .select(['track_id', 'kind'])
    .select([
      sql<number>`sum(plays)`.as('plays'),
      sql<number>`sum(listened_ms)`.as('listened'),
      sql<number>`sum(unplaced_ms)`.as('unplaced'),
    ])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(['track_id', 'kind'])
    .execute();

const BATCH = 400;

async function inBatches<Row>(
  ids: Iterable<string>,
  read: (batch: string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const all = [...new Set(ids)];
  const rows: Row[] = [];
  for (let start = 0; start < all.length; start += BATCH)
    rows.push(...(await read(all.slice(start, start + BATCH))));
  return rows;
}

/** Deleted ones too: what was played was played. */
export const listTracks = (db: Db, ids: Iterable<string>) =>
  inBatches(ids, (batch) =>
    db
      .selectFrom('tracks')
      .select(['id', 'title', 'year', 'week', 'chapters', 'duration_ms', 'deleted_at'])
      .select(['publish_at', 'restore_publish_at', 'announced_at'])
      .select(({ selectFrom }) =>
        selectFrom('take_downs')
          .select(({ fn }) => fn.max('take_downs.publish_at').as('at'))
          .whereRef('take_downs.track_id', '=', 'tracks.id')
          .whereRef('take_downs.publish_at', '<=', 'take_downs.created_at')
          .as('taken_down_release'),
      )
      .where('id', 'in', batch)
      .execute(),
  );
export type TrackRow = Awaited<ReturnType<typeof listTracks>>[number];

export const listRecordings = (db: Db, ids: Iterable<string>) =>
  inBatches(ids, (batch) =>
    db.selectFrom('recordings').selectAll().where('id', 'in', batch).execute(),
  );
export type RecordingRow = Awaited<ReturnType<typeof listRecordings>>[number];

export const listPastTracklists = (db: Db, trackIds: Iterable<string>) =>
  inBatches(trackIds, (batch) =>
    db.selectFrom('past_tracklists').selectAll().where('track_id', 'in', batch).execute(),
  );

/** ISRCs that several recordings have. */
export async function listRepeatedIsrcs(db: Db): Promise<Set<string>> {
  const rows = await db
    .selectFrom('recordings')
    .select('isrc')
    .where('isrc', 'is not', null)
    .groupBy('isrc')
    .having(sql<number>`count(*)`, '>', 1)
    .execute();
  return new Set(rows.flatMap(({ isrc }) => (isrc === null ? [] : [isrc])));
}

/** Mixes whose audio was replaced between two times. */
export const listReplaced = async (db: Db, from: number, to: number): Promise<string[]> =>
  (
    await db
      .selectFrom('past_tracklists')
      .select('track_id')
      .distinct()
      .where('until_at', '>=', from)
      .where('until_at', '<', to)
      .execute()
  ).map((row) => row.track_id);
