import type { ListCursor, ListedRow } from './report.ts';

/** Listeners who were counted together, such as those of one day. */
export type Cohort = { key: string; size: number };

export type CohortSource<C extends Cohort> = {
  /** Ordered by key, from this one on (inclusive). */
  listCohorts: (from: string | null, limit: number) => Promise<C[]>;
  /** The members whose account still exists, after the last one listed. */
  listMembers: (
    cohort: C,
    after: string,
    limit: number,
  ) => Promise<{ id: string; row: ListedRow['row'] }[]>;
  countMembers: (cohort: C) => Promise<number>;
  describeDeletedMember: (cohort: C) => ListedRow['row'];
};

/** Sorts after every ID. */
const DELETED = '~';

const DIGITS = 9;

type PageStart = { after: string; limit: number };

async function listMembersOf<C extends Cohort>(
  source: CohortSource<C>,
  cohort: C,
  { after, limit }: PageStart,
): Promise<ListedRow[]> {
  const isPastMembers = after.startsWith(DELETED);
  const members = isPastMembers ? [] : await source.listMembers(cohort, after, limit);
  const rows = members.map(({ id, row }): ListedRow => ({ row, cursor: [cohort.key, id] }));
  if (rows.length >= limit) return rows;
  // Deleted accounts are still counted, but nothing else is known about them.
  const deleted = cohort.size - (await source.countMembers(cohort));
  const first = isPastMembers ? Number(after.slice(DELETED.length)) + 1 : 1;
  for (let n = first; n <= deleted && rows.length < limit; n += 1)
    rows.push({
      row: source.describeDeletedMember(cohort),
      cursor: [cohort.key, DELETED + String(n).padStart(DIGITS, '0')],
    });
  return rows;
}

/** Lists cohort after cohort, with as many rows as the cohorts have counted. */
export async function listCohortMembers<C extends Cohort>(
  source: CohortSource<C>,
  { after, limit }: { after: ListCursor | null; limit: number },
): Promise<ListedRow[]> {
  const rows: ListedRow[] = [];
  // Every cohort has a member, except perhaps the one the last page ended with.
  for (const cohort of await source.listCohorts(after?.[0] ?? null, limit + 1)) {
    if (rows.length >= limit) break;
    const last = cohort.key === after?.[0] ? after[1] : '';
    rows.push(
      ...(await listMembersOf(source, cohort, { after: last, limit: limit - rows.length })),
    );
  }
  return rows;
}
