import { sql, type CreateTableBuilder } from 'kysely';
import type { DialectName } from '../connect.ts';

/** Milliseconds do not fit the 32 bits that PostgreSQL calls an integer. */
export const timeType = (dialect: DialectName) => (dialect === 'sqlite' ? 'integer' : 'bigint');

/** Both dialects then refuse a text where a number belongs; plain SQLite would store it. */
export const finishTable = <T extends string, C extends string>(
  table: CreateTableBuilder<T, C>,
  dialect: DialectName,
): Promise<void> => (dialect === 'sqlite' ? table.modifyEnd(sql`strict`) : table).execute();
