import type { RawBuilder, SqlBool } from 'kysely';
import type { Column } from '#contract/admin/reports.ts';
import type { Doubt } from '#contract/rules/chart.ts';
import type { Db } from '../../db/connect.ts';
import { startAfter } from '../../db/keyset.ts';
import { row, toTimeRange, type FigureList, type TimeRange } from './report.ts';
import { deletedListener, nameListeners } from './user-names.ts';

type ListedPlay = { suspicion: Doubt | null };
type PlayList = {
  /** Which plays are listed. Written as literals, so that a partial index is used. */
  where: RawBuilder<SqlBool>;
  /** A column after the others. */
  last?: { column: Column; read: (play: ListedPlay) => string | null };
};

const listPlays = (
  db: Db,
  where: PlayList['where'],
  { from, to, after }: TimeRange,
  limit: number,
) =>
  db
    .selectFrom('plays')
    .innerJoin('tracks', 'tracks.id', 'plays.track_id')
    .select(['plays.id', 'plays.listener_key', 'plays.counted_at', 'plays.suspicion'])
    .select(['tracks.title', 'tracks.week'])
    .where(where)
    .where('plays.counted_at', '<', to)
    .where(startAfter(['plays.counted_at', 'plays.id'], after, from))
    .orderBy('plays.counted_at')
    .orderBy('plays.id')
    .limit(limit)
    .execute();

/** The single plays behind a figure: who played what, and when. */
export const buildPlayList = ({ where, last }: PlayList): FigureList => ({
  columns: [
    { key: 'listener', label: 'Listener', kind: 'text' },
    { key: 'email', label: 'E-mail', kind: 'text' },
    { key: 'title', label: 'Mix', kind: 'text' },
    { key: 'week', label: 'Week', kind: 'week' },
    { key: 'at', label: 'Played', kind: 'time' },
    ...(last ? [last.column] : []),
  ],
  read: async (context, range, { after, limit }) => {
    const { db } = context;
    const found = await listPlays(db, where, toTimeRange(context, range, after), limit);
    const keys = found.map(({ listener_key }) => listener_key);
    const named = await nameListeners(db, keys);
    return found.map((play, index) => {
      const { name, email, href } = named[index] ?? deletedListener;
      const cells = [name, email, play.title, play.week, play.counted_at];
      return {
        row: row(last ? [...cells, last.read(play)] : cells, href),
        cursor: [String(play.counted_at), play.id],
      };
    });
  },
});
