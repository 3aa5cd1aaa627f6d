import { sql } from 'kysely';
import { GAP } from './document.ts';
import type { Match, Tier } from './query-plan.ts';
import type { MatchedTrack, SearchIndex } from './search-index.ts';
import { isVisible } from './visible-sql.ts';

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

/** A text vector that we fill ourselves: no extension, and the same words as on SQLite. */
export const postgresIndex: SearchIndex = {
  findMatches: async (db, tier, { visibility, after, limit }) => {
    const { rows } = await sql<MatchedTrack>`
      select d.place, d.track_id, t.chapters
      from search_docs as d
      join tracks as t on t.id = d.track_id
      where d.lexemes @@ ${toTsQuery(tier)}::tsquery and d.place > ${after}
        and ${isVisible(visibility)}
      order by d.place
      limit ${limit}`.execute(db);
    return rows;
  },
  putDocument: async (tx, place, document) => {
    await sql`update search_docs set lexemes = ${toLexemes(document)}::tsvector
      where place = ${place}`.execute(tx);
  },
  lock: async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(tx);
  },
};
