import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { toMoments, type Moments } from './moments.ts';
import { nameListeners, somebodyGone } from './person.ts';
import { row, type FigureList } from './report.ts';

/** Written out, so that the index of nothing but previews serves. */
const isPreview = sql<SqlBool>`plays.is_counted = 1 and plays.is_subscriber = 0`;

const listPreviews = (db: Db, { from, to, after }: Moments, limit: number) =>
  db
    .selectFrom('plays')
    .innerJoin('tracks', 'tracks.id', 'plays.track_id')
    .select(['plays.id', 'plays.listener', 'plays.counted_at', 'tracks.title', 'tracks.week'])
    .where(isPreview)
    .where('plays.counted_at', '<', to)
    .where(
      after
        ? sql<SqlBool>`(plays.counted_at, plays.id) > (${sql.join(after)})`
        : sql<SqlBool>`plays.counted_at >= ${from}`,
    )
    .orderBy('plays.counted_at')
    .orderBy('plays.id')
    .limit(limit)
    .execute();

export const previewPlays: FigureList = {
  columns: [
    { key: 'listener', label: 'Listener', kind: 'text' },
    { key: 'email', label: 'E-mail', kind: 'text' },
    { key: 'title', label: 'Mix', kind: 'text' },
    { key: 'week', label: 'Week', kind: 'week' },
    { key: 'at', label: 'Heard', kind: 'moment' },
  ],
  read: async (context, range, { after, limit }) => {
    const { db } = context;
    const found = await listPreviews(db, toMoments(context, range, after), limit);
    const named = await nameListeners(
      db,
      found.map(({ listener }) => listener),
    );
    return found.map((play, index) => {
      const { name, email, href } = named[index] ?? somebodyGone;
      return {
        row: row([name, email, play.title, play.week, play.counted_at], href),
        position: [String(play.counted_at), play.id],
      };
    });
  },
};
