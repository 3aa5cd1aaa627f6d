import type { Transaction } from 'kysely';
import type { DialectName } from '../connect.ts';

export type Migration = {
  /** Four digits and a few words. Never changed once released: databases remember it. */
  name: string;
  up: (tx: Transaction<unknown>, dialect: DialectName) => Promise<void>;
};
