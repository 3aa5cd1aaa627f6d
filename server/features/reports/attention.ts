import { sql } from 'kysely';
import type { Dashboard } from '#contract/reports.ts';
import type { Db } from '../../db/connect.ts';

type Attention = Dashboard['attention'][number];

const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

const count = sql<number | string>`count(*)`.as('count');

const countFailedTracks = (db: Db) =>
  db
    .selectFrom('tracks')
    .select(count)
    .where('status', '=', 'failed')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** People, not agreements: a change of plan can leave somebody with two. */
const countLatePayers = (db: Db) =>
  db
    .selectFrom('agreements')
    .select(sql<number | string>`count(distinct user_id)`.as('count'))
    .where('status', '=', 'late')
    .executeTakeFirst();

const countDeadJobs = (db: Db) =>
  db.selectFrom('jobs').select(count).where('state', '=', 'dead').executeTakeFirst();

/** What somebody has to do something about; empty on a good day. */
export async function listAttention(db: Db): Promise<Attention[]> {
  const failed = Number((await countFailedTracks(db))?.count ?? 0);
  const late = Number((await countLatePayers(db))?.count ?? 0);
  const dead = Number((await countDeadJobs(db))?.count ?? 0);
  const all: Attention[] = [
    {
      kind: 'failed-ingest',
      count: failed,
      says: `${plural(failed, 'mix', 'mixes')} could not be processed.`,
      href: '/admin/tracks?state=failed',
    },
    {
      kind: 'failed-payments',
      count: late,
      says: `${plural(late, 'member owes', 'members owe')} a payment that failed.`,
      href: '/admin/subscribers?filter=late',
    },
    {
      kind: 'dead-jobs',
      count: dead,
      says: `${plural(dead, 'job has', 'jobs have')} failed for the last time.`,
      href: '/admin/jobs',
    },
  ];
  return all.filter((item) => item.count > 0);
}
