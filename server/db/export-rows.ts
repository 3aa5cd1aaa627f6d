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
