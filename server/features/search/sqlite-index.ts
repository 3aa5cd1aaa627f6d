import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { prepareQuery } from '../../db/prepare-query.ts';
import type { Match, Tier } from './query-plan.ts';
import type { MatchedTrack, SearchIndex } from './search-index.ts';
import { isVisible, visibleValues } from './queries.ts';

/** Tokens contain only letters, digits and `_`, so quoting them is safe. */
function toFts(match: Match): string {
  if (match.kind === 'phrase') return `"${match.tokens.join(' ')}"${match.isPrefix ? ' *' : ''}`;
  return `(${match.of.map(toFts).join(match.kind === 'all' ? ' AND ' : ' OR ')})`;
}

const toFtsQuery = ({ match, except }: Tier): string =>
  except.length === 0
    ? toFts(match)
    : `${toFts(match)} NOT ${toFts({ kind: 'any', of: [...except] })}`;

/** A search reads every segment of the index; with more of them than this, merging pays. */
const MANY_SEGMENTS = 4;
/** Small enough that nothing waits long for the write lock. */
const PAGES_AT_A_TIME = 256;

/** A negative number starts merging all segments; positive numbers continue that. */
const merge = (db: Db, pages: number) =>
  sql`insert into search_index (search_index, rank) values ('merge', ${pages})`.execute(db);

const readCount = async (db: Db, query: RawBuilder<{ count: number }>): Promise<number> =>
  (await query.execute(db)).rows[0]?.count ?? 0;

async function compact(db: Db, signal: AbortSignal): Promise<void> {
  const segments = sql<{
    count: number;
  }>`select count(distinct segid) as count from search_index_idx`;
  if ((await readCount(db, segments)) <= MANY_SEGMENTS) return;
  const changes = sql<{ count: number }>`select total_changes() as count`;
  await merge(db, -PAGES_AT_A_TIME);
  for (let isWorking = true; isWorking && !signal.aborted;) {
    const before = await readCount(db, changes);
    await merge(db, PAGES_AT_A_TIME);
    // The command itself counts as one change.
    isWorking = (await readCount(db, changes)) - before > 1;
  }
}

/** Cross joins make SQLite start with the index, whatever it estimates. */
const readMatches = prepareQuery(
  (db, match: string, after: number, publishedBy: number, mostReserved: number, limit: number) => ({
    compile: () =>
      sql<MatchedTrack>`
        select d.row_order, d.track_id
        from search_index as f
        cross join search_docs as d on d.row_order = f.rowid
        cross join tracks as t on t.id = d.track_id
        where f.search_index match ${match} and f.rowid > ${after}
          and ${isVisible(publishedBy, mostReserved)}
        order by f.rowid
        limit ${limit}`.compile(db),
  }),
  5,
);

/** FTS5 without a copy of the text. */
export const sqliteIndex: SearchIndex = {
  findMatches: async (db, tier, { visibility, after, limit }) =>
    readMatches(db, toFtsQuery(tier), after, ...visibleValues(visibility), limit),
  putDocument: async (tx, rowOrder, document) => {
    await sql`insert into search_index (rowid, tokens) values (${rowOrder}, ${document})`.execute(
      tx,
    );
  },
  compact,
  // A writing transaction holds the only write lock from its start.
  lock: () => Promise.resolve(),
};
