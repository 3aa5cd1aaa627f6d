import { type SqlBool, sql } from 'kysely';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import type { Db } from '../../db/connect.ts';
import { startAfter } from '../../db/keyset.ts';
import { listSiteDays } from './play-sums.ts';
import {
  type FigureList,
  type TimeRange,
  type ReportDefinition,
  row,
  buildDayRows,
  shareOf,
  sumOf,
  toTimeRange,
} from './report.ts';
import { nameListeners, deletedListener } from './user-names.ts';

/** Written as literals, so that the partial index of previews is used. */
const isPreview = sql<SqlBool>`plays.is_counted = 1 and plays.is_subscriber = 0`;

const listPreviews = (db: Db, { from, to, after }: TimeRange, limit: number) =>
  db
    .selectFrom('plays')
    .innerJoin('tracks', 'tracks.id', 'plays.track_id')
    .select(['plays.id', 'plays.listener_key', 'plays.counted_at', 'tracks.title', 'tracks.week'])
    .where(isPreview)
    .where('plays.counted_at', '<', to)
    .where(startAfter(['plays.counted_at', 'plays.id'], after, from))
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
    { key: 'at', label: 'Played', kind: 'time' },
  ],
  read: async (context, range, { after, limit }) => {
    const { db } = context;
    const found = await listPreviews(db, toTimeRange(context, range, after), limit);
    const named = await nameListeners(
      db,
      found.map(({ listener_key }) => listener_key),
    );
    return found.map((play, index) => {
      const { name, email, href } = named[index] ?? deletedListener;
      return {
        row: row([name, email, play.title, play.week, play.counted_at], href),
        cursor: [String(play.counted_at), play.id],
      };
    });
  },
};

const PLAY_DEFINITION =
  'A play counts after 15 seconds of listening, at most once per listener and mix every 30 minutes.';

export const plays: ReportDefinition = {
  title: 'Plays',
  definition: PLAY_DEFINITION,
  plot: 'bars',
  columns: [
    { key: 'day', label: 'Day', kind: 'day' },
    { key: 'plays', label: 'Plays', kind: 'count', aggregate: 'sum' },
    { key: 'subscribers', label: 'By subscribers', kind: 'count', aggregate: 'sum' },
    { key: 'others', label: 'Previews', kind: 'count', aggregate: 'sum' },
  ],
  figures: {
    plays: {
      label: 'Plays',
      definition: PLAY_DEFINITION,
      unit: 'count',
      isGoodWhen: 'more',
      opensReport: 'releases',
    },
    previews: {
      label: 'Previews',
      definition: `Plays by non-subscribers (${PREVIEW_TEXT}s).`,
      unit: 'count',
      list: previewPlays,
    },
    share: {
      label: 'Subscriber share',
      definition: 'Share of plays by Premium subscribers.',
      unit: 'share',
    },
  },
  compares: 'rows',
  async read({ db }, range) {
    const found = await listSiteDays(db, range);
    const total = sumOf(found, (day) => day.plays);
    const subscribers = sumOf(found, (day) => day.subscriber_plays);
    return {
      values: {
        plays: total,
        previews: total - subscribers,
        share: shareOf(subscribers, total),
      },
      rows: buildDayRows(range, found, ({ plays: all = 0, subscriber_plays: own = 0 }) => [
        all,
        own,
        all - own,
      ]),
    };
  },
};
