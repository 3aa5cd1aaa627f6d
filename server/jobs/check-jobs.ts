import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { JobHandler } from './define-job.ts';

/** Fails at startup if a job is defined but missing from the list: otherwise it would silently never run. */
export const indexJobs = <D>(
  jobs: readonly JobHandler<D>[],
  defined: readonly { name: string }[],
): Map<string, JobHandler<D>> => {
  const byName = new Map<string, JobHandler<D>>();
  for (const job of jobs) {
    if (byName.has(job.name)) throw new Error(`Two jobs are called "${job.name}".`);
    byName.set(job.name, job);
  }
  const listed = new Set<unknown>(jobs);
  const missing = defined.filter((job) => !listed.has(job)).map((job) => `"${job.name}"`);
  if (missing.length > 0) {
    throw new Error(`No worker runs ${missing.join(', ')}. Add the missing jobs to the job list.`);
  }
  return byName;
};

/** Jobs in the table that this version doesn't know, for instance during a rolling update. */
export const findUnknownNames = async (db: Db, known: Iterable<string>): Promise<string[]> => {
  const names = new Set(known);
  const rows = await db
    .selectFrom('jobs')
    .select('name')
    .distinct()
    .where('state', '=', sql.lit('ready'))
    .execute();
  return rows.map((row) => row.name).filter((name) => !names.has(name));
};
