import { sql, type Transaction } from 'kysely';
import type { DialectName } from '../../db/connect.ts';

type Reference = { from: string; to: string };
type AnyTx = Transaction<Record<string, Record<string, unknown>>>;

/** Those that are referred to come before those that refer to them. */
export function orderTables(tables: readonly string[], references: readonly Reference[]): string[] {
  const ordered: string[] = [];
  const visited = new Set<string>();
  const visit = (table: string) => {
    if (visited.has(table)) return;
    visited.add(table);
    for (const { from, to } of references) if (from === table && to !== table) visit(to);
    if (tables.includes(table)) ordered.push(table);
  };
  for (const table of tables) visit(table);
  return ordered;
}

async function listReferences(tx: AnyTx, dialect: DialectName): Promise<Reference[]> {
  const query =
    dialect === 'sqlite'
      ? sql<Reference>`select m.name as "from", f."table" as "to"
          from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`
      : sql<Reference>`select c.relname as "from", r.relname as "to" from pg_constraint k
          join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
          where k.contype = 'f'`;
  return (await query.execute(tx)).rows;
}

export const sortTables = async (tx: AnyTx, dialect: DialectName, tables: readonly string[]) =>
  orderTables(tables.toSorted(), await listReferences(tx, dialect));
