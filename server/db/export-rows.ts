import { sql, type SelectQueryBuilder, type SqlBool, type StringReference } from 'kysely';

/**
 * Every row of a query, page by page, for the personal-data archive. `order` maps fields of a row
 * to the columns that they come from; together they identify a row.
 */
export function exportRows<DB, TB extends keyof DB, Row extends object>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: { [Field in keyof Row]?: StringReference<DB, TB> },
): AsyncGenerator<Row> {
  const fields = Object.keys(order) as (keyof Row)[];
  const columns = fields.map((field) => sql.ref(order[field] as string));
  return readInPages<Row>((last, limit) => {
    let page = query;
    if (last) {
      const values = fields.map((field) => last[field]);
      page = page.where(sql<SqlBool>`(${sql.join(columns)}) > (${sql.join(values)})`);
    }
    for (const column of columns) page = page.orderBy(column);
    return page.limit(limit).execute();
  });
}

/**
 * The mix that a row is about. It has a name only if it is out for this user: what has become of it
 * since it was taken back, such as another title, isn't announced yet.
 */
export const nameTrack = (publishedBy: number) => {
  const ifOut = <T extends string | number, C extends 'title' | 'year' | 'week'>(column: C) =>
    sql<T | null>`case when tracks.status = 'ready' and tracks.publish_at <= ${publishedBy}
      then ${sql.ref(`tracks.${column}`)} end`.as(column);
  return [
    ifOut<string, 'title'>('title'),
    ifOut<number, 'year'>('year'),
    ifOut<number, 'week'>('week'),
  ] as const;
};

const PAGE_SIZE = 500;

/** Iterates over a long list in pages: `readPage` returns the rows after the given one. */
export async function* readInPages<Row>(
  readPage: (after: Row | null, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let last: Row | null = null;
  for (;;) {
    const rows: Row[] = await readPage(last, PAGE_SIZE);
    yield* rows;
    const next = rows.at(-1);
    if (next === undefined || rows.length < PAGE_SIZE) return;
    last = next;
  }
}
