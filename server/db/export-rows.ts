import { sql, type SelectQueryBuilder, type SqlBool, type StringReference } from 'kysely';
import { readInPages } from './read-in-pages.ts';

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
