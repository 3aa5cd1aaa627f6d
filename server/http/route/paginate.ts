import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, type PageQuery } from '#contract/paging.ts';
import { AppError } from './app-error.ts';

/** Opaque to the client, and validated like anything else that comes from outside. */
export const encodeCursor = (values: unknown): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url');

export const invalidCursor = (): AppError =>
  new AppError('validation_failed', {
    message: 'This list has changed. Reload it from the start.',
    fields: { cursor: 'Send the cursor exactly as you received it.' },
  });

export function decodeCursor<S extends z.ZodType>(schema: S, cursor: string): z.output<S> {
  try {
    const text = Buffer.from(cursor, 'base64url').toString();
    // PostgreSQL can't compare a text that contains a NUL.
    if (text.includes('\\u0000')) throw new Error('NUL in a cursor');
    return schema.parse(JSON.parse(text));
  } catch {
    throw invalidCursor();
  }
}

export type RowPage<Row> = { rows: Row[]; nextCursor: string | null };

/** Expects one row more than the limit: it says whether there is a next page. */
export function slicePage<Row>(
  found: readonly Row[],
  limit: number,
  toCursorValues: (last: Row) => unknown,
): RowPage<Row> {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, nextCursor: last === undefined ? null : encodeCursor(toCursorValues(last)) };
}

export const CursorNumber = z.int();
export const CursorId = z.string().regex(/^[\w-]{1,64}$/);

/** `plays.id` in the query is `id` in its rows. */
type ColumnName<Row> = (keyof Row & string) | `${string}.${keyof Row & string}`;
type OrderColumn<Row> = readonly [
  column: ColumnName<Row>,
  schema: z.ZodType<string | number>,
  /** For a column that the query computes, since SQL can't compare by an alias. */
  expression?: RawBuilder<unknown>,
];
/** Together the columns must be unique, or rows that share a value get lost between two pages. */
type Order<Row> = { orderBy: readonly OrderColumn<Row>[]; direction?: 'asc' | 'desc' };

/** One page of a query by keyset: it costs the same however far down the list it is. */
export async function paginate<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { cursor, limit = DEFAULT_PAGE_SIZE }: PageQuery,
  { orderBy, direction = 'desc' }: Order<Row>,
): Promise<RowPage<Row>> {
  const expressions = orderBy.map(([column, , expression]) => expression ?? sql.ref(column));
  let page = query.limit(limit + 1);
  if (cursor) {
    const Values = z
      .array(z.unknown())
      .length(orderBy.length)
      .transform((values) => orderBy.map(([, schema], index) => schema.parse(values[index])));
    const values = decodeCursor(Values, cursor);
    const operator = direction === 'desc' ? sql`<` : sql`>`;
    page = page.where(sql<SqlBool>`(${sql.join(expressions)}) ${operator} (${sql.join(values)})`);
  }
  for (const expression of expressions) page = page.orderBy(expression, direction);
  const keys = orderBy.map(([column]) => column.slice(column.lastIndexOf('.') + 1) as keyof Row);
  return slicePage(await page.execute(), limit, (row) => keys.map((key) => row[key]));
}
