import type { Transaction } from 'kysely';
import type { DialectName } from '../connect.ts';

export type Migration = {
  /** Four digits and a few words. Never changed once released: databases remember it. */
  name: string;
  /**
   * SQLite cannot switch foreign keys off inside a transaction, and dropping a table then deletes
   * every row that refers to it. So a table is never rebuilt by dropping it: columns are added.
   */
  up: (tx: Transaction<unknown>, dialect: DialectName) => Promise<void>;
};
