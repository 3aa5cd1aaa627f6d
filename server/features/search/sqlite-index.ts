import { sql } from 'kysely';
import type { Match, Tier } from './query-plan.ts';
import type { MatchedTrack, SearchIndex } from './search-index.ts';
import { isVisible } from './visible-sql.ts';

/** Tokens hold letters, digits and `_` only, so nothing in the quotes can end them. */
function toFts(match: Match): string {
  if (match.kind === 'phrase') return `"${match.tokens.join(' ')}"${match.isPrefix ? ' *' : ''}`;
  return `(${match.of.map(toFts).join(match.kind === 'all' ? ' AND ' : ' OR ')})`;
}

export const toFtsQuery = ({ match, except }: Tier): string =>
  except.length === 0
    ? toFts(match)
    : `${toFts(match)} NOT ${toFts({ kind: 'any', of: [...except] })}`;

/** FTS5 without a copy of the text. Cross joins keep the index in the lead, whatever is estimated. */
export const sqliteIndex: SearchIndex = {
  findMatches: async (db, tier, { visibility, after, limit }) => {
    const { rows } = await sql<MatchedTrack>`
      select d.place, d.track_id, t.chapters
      from search_index as f
      cross join search_docs as d on d.place = f.rowid
      cross join tracks as t on t.id = d.track_id
      where f.search_index match ${toFtsQuery(tier)} and f.rowid > ${after}
        and ${isVisible(visibility)}
      order by f.rowid
      limit ${limit}`.execute(db);
    return rows;
  },
  putDocument: async (tx, place, document) => {
    await sql`insert into search_index (rowid, tokens) values (${place}, ${document})`.execute(tx);
  },
  // A transaction that writes holds the only write lock from its beginning.
  lock: () => Promise.resolve(),
};
