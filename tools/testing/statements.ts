/** Where each process of a test run writes the statements that it ran; `npm test` sets it. */
export const STATEMENTS = process.env.STATEMENTS_FOLDER;

export type Statement = {
  database: 'sqlite' | 'postgres';
  sql: string;
  /** The first test of its process that ran it. */
  test: string;
};

/** Only SQLite runs these: what PostgreSQL gets instead is beside them in the code. */
const WRITTEN_FOR_SQLITE = [
  // Its own full-text index, and what it knows about its tables.
  /\bsearch_index(?:_idx)?\b/,
  /\btotal_changes\(/,
  /\bsqlite_master\b/,
  // A random key.
  /\brandomblob\(/,
];

/** Statements of both databases become the same text, whatever the values and the length of lists. */
const REWRITES: [RegExp, string][] = [
  [/\s+/g, ' '],
  [/\$\d+/g, '?'],
  // SQLite locks the whole database instead of rows.
  [/ for (?:no key )?update(?: of "\w+")?(?: skip locked)?/g, ''],
  [/\bposition\(\? in ([\w.]+)\)/g, 'instr($1, ?)'],
  // What `server/db/prepare-query.ts` writes for each database.
  [/json_array_elements_text\((.+?)::json\)/g, 'json_each($1)'],
  [/ordinality::int - 1 as asked/g, 'key as asked'],
  [/json_array_elements\(\?::json\) with ordinality offset 0/g, 'json_each(?) limit -1'],
  [
    /left join lateral \( select \* from ("\w+") where (.+?) limit 1 \) as \1 on true/g,
    'left join $1 on $2',
  ],
  [/ ?([()]) ?/g, '$1'],
  [/\(\?(?:, ?\?)+\)/g, '(?)'],
  [/\(\?\)(?:, ?\(\?\))+/g, '(?)'],
  [/(\bselect .+?)(?: ?union all \1)+/g, '$1'],
];

export const normalise = (sql: string): string =>
  REWRITES.reduce((text, [from, to]) => text.replaceAll(from, to), sql).trim();

/** Fewer than this were recorded only if recording itself is broken: there are about 1,500. */
const FEWEST = 1000;

/** What is wrong with what was recorded, or null. */
export function findTooFew(statements: readonly Statement[]): string | null {
  for (const database of ['sqlite', 'postgres'] as const) {
    const count = new Set(
      statements.filter((one) => one.database === database).map(({ sql }) => normalise(sql)),
    ).size;
    if (count < FEWEST) return `Only ${count} statements were recorded on ${database}.`;
  }
  return null;
}

const isData = (sql: string): boolean => /^(?:select|insert|update|delete|with)\b/i.test(sql);

/** Each statement that ran on SQLite but not on PostgreSQL, with a test that ran it. */
export function findOnSqliteOnly(statements: readonly Statement[]): Statement[] {
  const onPostgres = new Set<string>();
  const onSqlite = new Map<string, Statement>();
  for (const statement of statements) {
    const sql = normalise(statement.sql);
    if (statement.database === 'postgres') onPostgres.add(sql);
    else if (!onSqlite.has(sql)) onSqlite.set(sql, statement);
  }
  return [...onSqlite].flatMap(([sql, statement]) => {
    const isExpected = isData(sql) && !WRITTEN_FOR_SQLITE.some((form) => form.test(sql));
    return isExpected && !onPostgres.has(sql) ? [statement] : [];
  });
}
