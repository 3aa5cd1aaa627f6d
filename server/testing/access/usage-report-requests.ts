import { newId } from '../../db/ids.ts';
import { hashStored } from '../../ports/storage/hash-file.ts';
import type { Ask, Asked } from './asked.ts';

const day = '2026-07-01';
const period = `${day}_${day}`;

/** That day is added up, so that a report of it can be made. */
const ofPeriod =
  (more: Asked): Ask =>
  async ({ deps }) => {
    await deps.database.db
      .insertInto('usage_days')
      .values({ day, from_at: 0, to_at: 1, checked_at: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return more;
  };

/** A report that is finished, and the second of its period. */
const ofReport: Ask = async ({ deps }) => {
  const { database, storage, clock } = deps;
  const none = { plays: 0, seconds: 0 };
  const heard = { full: none, preview: none, subsonic: none, podcast: none };
  const totals = { tracks: 0, entries: 0, heard, outside: 0 };
  const facts = { from: day, to: day, territory: 'South Africa', currency: 'ZAR', revenue: 0 };
  const key = 'usage-reports/access/file';
  await storage.put(key, Buffer.from('Total\r\n'));
  const snapshot = { format: 1, facts, columns: [{ header: 'Title', value: 'title' }], totals };
  await storage.put(`${key}.jsonl`, Buffer.from(`${JSON.stringify(snapshot)}\n`));
  const { number } = await database.db
    .selectFrom('usage_reports')
    .select(({ fn }) => fn.countAll<number>().as('number'))
    .executeTakeFirstOrThrow();
  const [first, second] = [newId(clock.now()), newId(clock.now())];
  for (const [index, id] of [first, second].entries())
    await database.db
      .insertInto('usage_reports')
      .values({
        id,
        number: number + 1 + index,
        request: id,
        from_day: day,
        to_day: day,
        layout: 'general',
        territory: 'South Africa',
        currency: 'ZAR',
        revenue_calculated: 0,
        revenue_confirmed: 0,
        state: 'ready',
        made_at: clock.now(),
        made_by: null,
        previous_id: index === 0 ? null : first,
        totals: JSON.stringify(totals),
        file_key: key,
        snapshot_key: `${key}.jsonl`,
        sha256: await hashStored(storage, key),
        size: 7,
      })
      .execute();
  return { params: { id: second } };
};

export const usageReportRequests: Record<string, Ask> = {
  'GET /api/admin/rights/outlook': ofPeriod({ query: { period } }),
  'POST /api/admin/rights/reports': (site, owner, person) =>
    ofPeriod({
      payload: {
        request: newId(site.deps.clock.now()),
        period,
        layout: 'general',
        territory: 'South Africa',
        revenue: 0,
      },
    })(site, owner, person),
  'GET /api/admin/rights/reports/:id': ofReport,
  'POST /api/admin/rights/reports/:id/again': ofReport,
  'GET /api/admin/rights/reports/:id/report.csv': ofReport,
  'GET /api/admin/rights/reports/:id/changes.csv': ofReport,
};
