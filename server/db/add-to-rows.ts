import { sql, type Kysely } from 'kysely';
import type { Db } from './connect.ts';
import type { Tables } from './types/tables.ts';

type AnyTables = Record<string, Record<string, string | number>>;

/** Inserts the rows, or adds their numbers to the rows that have the same keys. */
export async function addToRows<T extends keyof Tables>(
  tx: Db,
  table: T,
  keys: readonly (keyof Tables[T] & string)[],
  rows: readonly Tables[T][],
): Promise<void> {
  const names = Object.keys(rows[0] ?? {}).filter((name) => !keys.some((key) => key === name));
  const sums = names.map((name) => [
    name,
    sql<number>`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  ]);
  await (tx as unknown as Kysely<AnyTables>)
    .insertInto(table)
    .values(rows as unknown as AnyTables[string][])
    .onConflict((conflict) => conflict.columns(keys).doUpdateSet(Object.fromEntries(sums)))
    .execute();
}
