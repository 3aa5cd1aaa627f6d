import { sql, type RawBuilder, type SqlBool } from 'kysely';

type Columns = readonly [first: string, ...more: string[]];
type Values = readonly (string | number)[];

/** Compares several columns at once, in the order in which a list is sorted by them. */
export const compareColumns = (columns: Columns, operator: '<' | '>' | '>=', values: Values) =>
  sql<SqlBool>`(${sql.join(columns.map((column) => sql.ref(column)))}) ${sql.raw(operator)} (${sql.join(values)})`;

/** The rows after the last one of the previous batch, or from a value of the first column on. */
export const startAfter = (
  columns: Columns,
  last: Values | null,
  from: string | number,
): RawBuilder<SqlBool> =>
  last ? compareColumns(columns, '>', last) : sql<SqlBool>`${sql.ref(columns[0])} >= ${from}`;
