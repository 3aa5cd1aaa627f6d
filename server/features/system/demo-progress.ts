import type { Db } from '../../db/connect.ts';

export type DemoProgress = { ready: number; total: number };

/** How many demo tracks are ready. Failed ones count too, because they won't change any more. */
export async function readDemoProgress(db: Db): Promise<DemoProgress> {
  const rows = await db
    .selectFrom('tracks')
    .select(({ fn }) => ['status', fn.countAll<number>().as('tracks')])
    .where('id', 'like', 'demo-%')
    .groupBy('status')
    .execute();
  const count = (from: typeof rows) => from.reduce((sum, row) => sum + row.tracks, 0);
  return { ready: count(rows.filter(({ status }) => status !== 'processing')), total: count(rows) };
}
