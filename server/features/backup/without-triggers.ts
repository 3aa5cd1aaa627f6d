import { sql, type Transaction } from 'kysely';
import type { DialectName } from '../../db/connect.ts';

type AnyTx = Transaction<Record<string, Record<string, unknown>>>;

/** SQLite cannot switch a trigger off, so it is taken away and put back in the same transaction. */
async function withoutSqliteTriggers(tx: AnyTx, work: () => Promise<void>) {
  const { rows } = await sql<{ name: string; text: string }>`select name, sql as text
    from sqlite_master where type = 'trigger'`.execute(tx);
  for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(tx);
  await work();
  for (const { text } of rows) await sql.raw(text).execute(tx);
}

/** What they would write is among the rows already. References are checked all the same. */
export async function withoutTriggers(
  tx: AnyTx,
  dialect: DialectName,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  if (dialect === 'sqlite') return withoutSqliteTriggers(tx, work);
  const switchTo = async (state: 'disable' | 'enable') => {
    for (const table of tables)
      await sql`alter table ${sql.table(table)} ${sql.raw(state)} trigger user`.execute(tx);
  };
  await switchTo('disable');
  await work();
  await switchTo('enable');
}
