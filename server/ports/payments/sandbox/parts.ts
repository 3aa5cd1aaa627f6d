import type { Database, Tx } from '../../../db/connect.ts';
import type { Calendar } from '../payments.ts';

/** Work for later, enqueued in the transaction that makes it necessary. */
export type SandboxWork = {
  deliver: (tx: Tx, eventId: string, now: number) => Promise<unknown>;
  /** A page expires then, a bank decides, or the time to answer a dispute is over. */
  settleAt: (tx: Tx, paymentId: string, time: { at: number; now: number }) => Promise<unknown>;
};

export type SandboxParts = {
  database: Pick<Database, 'db' | 'dialect'>;
  clock: { now: () => number };
  site: { origin: string };
  calendar: Calendar;
  work: SandboxWork;
};

/** For tests that deliver by hand. Payments are settled when they are read. */
export const noWork: SandboxWork = {
  deliver: () => Promise.resolve(),
  settleAt: () => Promise.resolve(),
};

export const inTransaction = <T>(parts: SandboxParts, act: (tx: Tx) => Promise<T>): Promise<T> =>
  parts.database.db.transaction().execute(act);
