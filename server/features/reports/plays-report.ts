import { type SqlBool, sql } from 'kysely';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import { buildPlayList } from './play-list.ts';
import { listSiteDays } from './play-sums.ts';
import { type ReportDefinition, buildDayRows, shareOf, sumOf } from './report.ts';

export const previewPlays = buildPlayList({
  where: sql<SqlBool>`plays.is_counted = 1 and plays.is_subscriber = 0`,
});

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
