import { listDays } from '#contract/rules/report-days.ts';
import { everyListener, newListeners } from './listener-lists.ts';
import { countListeners, listSiteDays } from './play-queries.ts';
import { previewPlays } from './preview-list.ts';
import { forEachStretch } from './read-parts.ts';
import { byKey, row, rowsOfDays, shareOf, sumOf, type ReportDefinition } from './report.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';

const COUNTS =
  'A play counts once 15 seconds were heard, at most once per listener and mix in 30 minutes.';

export const plays: ReportDefinition = {
  title: 'Plays',
  definition: COUNTS,
  plot: 'bars',
  columns: [
    { key: 'day', label: 'Day', kind: 'day' },
    { key: 'plays', label: 'Plays', kind: 'count', joins: 'sum' },
    { key: 'subscribers', label: 'By subscribers', kind: 'count', joins: 'sum' },
    { key: 'others', label: 'Previews', kind: 'count', joins: 'sum' },
  ],
  figures: {
    plays: {
      label: 'Plays',
      definition: COUNTS,
      unit: 'count',
      isGoodWhen: 'more',
      opens: 'releases',
    },
    previews: {
      label: 'Previews',
      definition: `Plays by non-subscribers (${PREVIEW_TEXT}s).`,
      unit: 'count',
      list: previewPlays,
    },
    share: {
      label: 'By subscribers',
      definition: 'The share of the plays that were made with Premium.',
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
      rows: rowsOfDays(range, found, ({ plays: all = 0, subscriber_plays: own = 0 }) => [
        all,
        own,
        all - own,
      ]),
    };
  },
};

/** Days whose earlier visits are read at once: each can have one row for every day before it. */
const DAYS_AT_ONCE = 14;

export const listeners: ReportDefinition = {
  title: 'Listeners',
  definition:
    'A listener is a member, or a browser of somebody not signed in, with a play that counts.',
  plot: 'bars',
  columns: [
    { key: 'day', label: 'Day', kind: 'day' },
    { key: 'listeners', label: 'Listeners', kind: 'count', joins: 'mean' },
  ],
  figures: {
    listeners: {
      label: 'Listeners',
      definition: 'Different listeners in these days, each counted once.',
      unit: 'count',
      isGoodWhen: 'more',
      list: everyListener,
    },
    newcomers: {
      label: 'New listeners',
      definition: 'Those of them whose first counted play ever was in these days.',
      unit: 'count',
      isGoodWhen: 'more',
      list: newListeners,
    },
    perDay: {
      label: 'A day',
      definition: 'Different listeners of each day, on average.',
      unit: 'count',
      isGoodWhen: 'more',
    },
  },
  compares: 'rows',
  async read({ db }, range) {
    const known = byKey(await listSiteDays(db, range), ({ day }) => day);
    const days = listDays(range);
    const sums = { listeners: 0, newcomers: 0 };
    await forEachStretch(range, DAYS_AT_ONCE, async (part) => {
      const found = await countListeners(db, part, range.from);
      sums.listeners += found.listeners;
      sums.newcomers += found.newcomers;
    });
    const perDay = days.map((day) => known.get(day)?.listeners ?? 0);
    return {
      values: { ...sums, perDay: Math.round(sumOf(perDay, (n) => n) / days.length) },
      rows: days.map((day, index) => row([day, perDay[index] ?? 0])),
    };
  },
};
