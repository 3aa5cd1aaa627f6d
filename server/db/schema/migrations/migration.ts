import { sql, type Transaction } from 'kysely';
import type { DialectName } from '../../connect.ts';

export type MigrationSteps = {
  /**
   * SQLite cannot switch foreign keys off inside a transaction, and dropping a table then deletes
   * every row that refers to it. So never rebuild a table by dropping it: add columns instead.
   */
  up: (tx: Transaction<unknown>, dialect: DialectName) => Promise<void>;
};

export type Migration = MigrationSteps & {
  /** Four digits and a few words. Never changed once released: databases remember it. */
  name: string;
};

/**
 * SQL for both databases, with these words for what they write differently:
 * `time` for milliseconds (and other numbers of more than 32 bits), `flag` for 0 or 1,
 * `bytewise_text` for text that both compare byte by byte, and `without rowid` after a table that
 * SQLite should store in the order of its key. A statement for one database only is an object.
 */
export type Statement = string | { sqlite: string } | { postgres: string };

const SQLITE_TYPES = { time: 'integer', flag: 'integer', bytewise_text: 'text' };
const POSTGRES_TYPES = { time: 'bigint', flag: 'integer', bytewise_text: 'text collate "C"' };

function toDialect(statement: string, dialect: DialectName): string {
  const types = dialect === 'sqlite' ? SQLITE_TYPES : POSTGRES_TYPES;
  const typed = statement.replaceAll(
    / (time|flag|bytewise_text)\b/g,
    (_match, type: keyof typeof types) => ` ${types[type]}`,
  );
  if (!statement.startsWith('create table')) return typed;
  const table = typed.replace(/ without rowid$/, '');
  if (dialect === 'postgres') return table;
  // Strict, so that SQLite too refuses text where a number belongs.
  return table === typed ? `${table} strict` : `${table} strict, without rowid`;
}

export async function runStatements(
  tx: Transaction<unknown>,
  dialect: DialectName,
  statements: readonly Statement[],
): Promise<void> {
  for (const statement of statements) {
    const text =
      typeof statement === 'string'
        ? toDialect(statement, dialect)
        : (statement as Partial<Record<DialectName, string>>)[dialect];
    if (text !== undefined) await sql.raw(text).execute(tx);
  }
}
