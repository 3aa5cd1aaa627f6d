import { sql } from 'kysely';
import { prepareQuery } from '../../db/prepare-query.ts';
import { GAP } from './document.ts';
import type { Match, Tier } from './query-plan.ts';
import type { MatchedTrack, SearchIndex } from './search-index.ts';
import { isVisible, visibleValues } from './visible-sql.ts';

/** Any number does, as long as every process that shares the database uses the same one. */
const ADVISORY_LOCK = 5_118_290_344;

/** Words have a place only where phrases are looked for; PostgreSQL counts no further than this. */
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
    .map(([token, places]) => (places.length > 0 ? `'${token}':${places.join(',')}` : `'${token}'`))
    .join(' ');
}

/** Tokens hold letters, digits and `_` only, so nothing in the quotes can end them. */
function toTs(match: Match): string {
  if (match.kind === 'phrase') {
    const lexemes = match.tokens.map((token) => `'${token}'`).join(' <-> ');
    return match.isPrefix ? `${lexemes}:*` : lexemes;
  }
  return `(${match.of.map(toTs).join(match.kind === 'all' ? ' & ' : ' | ')})`;
}

export const toTsQuery = ({ match, except }: Tier): string =>
  [match, ...except]
    .map((part, i) => (i === 0 ? `(${toTs(part)})` : `!(${toTs(part)})`))
    .join(' & ');

const readMatches = prepareQuery(
  (db, match: string, after: number, publishedBy: number, mostReserved: number, limit: number) => ({
    compile: () =>
      sql<MatchedTrack>`
        select d.place, d.track_id, t.chapters
        from search_docs as d
        join tracks as t on t.id = d.track_id
        where d.lexemes @@ ${match}::tsquery and d.place > ${after}
          and ${isVisible(publishedBy, mostReserved)}
        order by d.place
        limit ${limit}`.compile(db),
  }),
  5,
);

/** A text vector that we fill ourselves: no extension, and the same words as on SQLite. */
export const postgresIndex: SearchIndex = {
  findMatches: (db, tier, { visibility, after, limit }) =>
    readMatches(db, toTsQuery(tier), after, ...visibleValues(visibility), limit),
  putDocument: async (tx, place, document) => {
    await sql`update search_docs set lexemes = ${toLexemes(document)}::tsvector
      where place = ${place}`.execute(tx);
  },
  // Vacuuming does it.
  tidy: () => Promise.resolve(),
  lock: async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(tx);
  },
};
