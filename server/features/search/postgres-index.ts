import { sql } from 'kysely';
import { prepareQuery } from '../../db/prepare-query.ts';
import { GAP } from './document.ts';
import type { Match, Tier } from './query-plan.ts';
import type { MatchedTrack, SearchIndex } from './search-index.ts';
import { isVisible, visibleValues } from './queries.ts';

/** Any number works, as long as all processes use the same one. */
const ADVISORY_LOCK = 5_118_290_344;

/** Only titles and chapters need positions, for phrases; PostgreSQL counts no further than this. */
const LAST_POSITION = 16_383;

function toLexemes(document: string): string {
  const positions = new Map<string, number[]>();
  for (const [i, token] of document.split(' ').entries()) {
    if (token === GAP) continue;
    const known = positions.get(token) ?? [];
    if (/^[tc]_/.test(token) && i < LAST_POSITION) known.push(i + 1);
    positions.set(token, known);
  }
  return [...positions]
    .map(([token, at]) => (at.length > 0 ? `'${token}':${at.join(',')}` : `'${token}'`))
    .join(' ');
}

/** Tokens contain only letters, digits and `_`, so quoting them is safe. */
function toTs(match: Match): string {
  if (match.kind === 'phrase') {
    const lexemes = match.tokens.map((token) => `'${token}'`).join(' <-> ');
    return match.isPrefix ? `${lexemes}:*` : lexemes;
  }
  return `(${match.of.map(toTs).join(match.kind === 'all' ? ' & ' : ' | ')})`;
}

const toTsQuery = ({ match, except }: Tier): string =>
  [match, ...except]
    .map((part, i) => (i === 0 ? `(${toTs(part)})` : `!(${toTs(part)})`))
    .join(' & ');

const readMatches = prepareQuery(
  (db, match: string, after: number, publishedBy: number, mostReserved: number, limit: number) => ({
    compile: () =>
      sql<MatchedTrack>`
        select d.row_order, d.track_id
        from search_docs as d
        join tracks as t on t.id = d.track_id
        where d.lexemes @@ ${match}::tsquery and d.row_order > ${after}
          and ${isVisible(publishedBy, mostReserved)}
        order by d.row_order
        limit ${limit}`.compile(db),
  }),
  5,
);

/** A tsvector with our own tokens: no extension, and the same words as on SQLite. */
export const postgresIndex: SearchIndex = {
  findMatches: async (db, tier, { visibility, after, limit }) =>
    readMatches(db, toTsQuery(tier), after, ...visibleValues(visibility), limit),
  putDocument: async (tx, rowOrder, document) => {
    await sql`update search_docs set lexemes = ${toLexemes(document)}::tsvector
      where row_order = ${rowOrder}`.execute(tx);
  },
  // PostgreSQL vacuums by itself.
  compact: () => Promise.resolve(),
  lock: async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(tx);
  },
};
