import type { TakeDown, TakeDownOfTrack } from '#contract/admin/take-downs.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { TakeDownsTable } from '../../db/types/tables.ts';
import { CursorId, paginate } from '../../http/route/paginate.ts';

const selectTakeDowns = (db: Db) =>
  db
    .selectFrom('take_downs')
    .leftJoin('users as creators', 'creators.id', 'take_downs.created_by')
    .leftJoin('users as enders', 'enders.id', 'take_downs.ended_by')
    .selectAll('take_downs')
    .select(['creators.username as creator', 'enders.username as ender']);

type Row = TakeDownsTable & { creator: string | null; ender: string | null };

const present = (row: Row): TakeDown => ({
  id: row.id,
  complainant: row.complainant,
  email: row.email,
  reference: row.reference,
  reason: row.reason,
  at: row.created_at,
  by: row.creator,
  publishAt: row.publish_at,
  end:
    row.ended_at === null || row.end_reason === null || row.ended_as === null
      ? null
      : { at: row.ended_at, by: row.ender, reason: row.end_reason, as: row.ended_as },
});

export async function findOpenTakeDown(db: Db, trackId: string): Promise<TakeDown | null> {
  const row = await selectTakeDowns(db)
    .where('track_id', '=', trackId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row ? present(row) : null;
}

/** For an export: all complaints about a track, as they came. */
export async function listTakeDownsOf(db: Db, trackId: string): Promise<TakeDown[]> {
  const rows = await selectTakeDowns(db)
    .where('track_id', '=', trackId)
    .orderBy('take_downs.id')
    .execute();
  return rows.map(present);
}

/** Newest first, with the present names of the mixes. */
export async function listTakeDowns(
  db: Db,
  state: 'open' | 'closed' | undefined,
  page: PageQuery,
): Promise<Page<TakeDownOfTrack>> {
  const query = selectTakeDowns(db)
    .innerJoin('tracks', 'tracks.id', 'take_downs.track_id')
    .select(['tracks.title', 'tracks.week', 'tracks.year'])
    .$if(state === 'open', (some) => some.where('ended_at', 'is', null))
    .$if(state === 'closed', (some) => some.where('ended_at', 'is not', null));
  const { rows, nextCursor } = await paginate(query, page, {
    orderBy: [['take_downs.id', CursorId]],
  });
  const items = rows.map((row) => ({
    ...present(row),
    track: { id: row.track_id, title: row.title, weekNumber: row.week, year: row.year },
  }));
  return { items, nextCursor };
}

export const insertTakeDown = (tx: Tx, row: TakeDownsTable) =>
  tx.insertInto('take_downs').values(row).execute();

type End = Pick<TakeDownsTable, 'ended_at' | 'ended_by' | 'end_reason' | 'ended_as'>;

export const endTakeDown = (tx: Tx, id: string, end: End) =>
  tx.updateTable('take_downs').set(end).where('id', '=', id).execute();

/** For an import. */
export const markTakenDown = (tx: Tx, trackId: string, { at, publishAt }: TakeDown) =>
  tx
    .updateTable('tracks')
    .set({ taken_down_at: at, publish_at: null, restore_publish_at: publishAt })
    .where('id', '=', trackId)
    .execute();
