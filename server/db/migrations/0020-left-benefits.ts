import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** What may be had once, of those who have left: they are known by a keyed hash alone. */
export const leftBenefits: Migration = {
  name: '0020-left-benefits',
  up: async (tx, dialect) => {
    const isSqlite = dialect === 'sqlite';
    const time = isSqlite ? 'integer' : 'bigint';
    const statement = `create table left_benefits (
      email_hash text not null,
      what text not null,
      at ${time} not null,
      primary key (email_hash, what))${isSqlite ? ' strict' : ''}`;
    await sql.raw(statement).execute(tx);
  },
};
