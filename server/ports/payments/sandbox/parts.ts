import type { Database, Tx } from '../../../db/connect.ts';
import type { Calendar } from '../payments.ts';

/** Work for later, enqueued in the transaction that makes it necessary. */
export type SandboxWork = {
  deliver: (tx: Tx, eventId: string, now: number) => Promise<unknown>;
  renewAt: (
    tx: Tx,
    providerSubscriptionId: string,
    time: { at: number; now: number },
  ) => Promise<unknown>;
  /** The end of the time to answer a dispute. */
  decideAt: (tx: Tx, chargeId: string, time: { at: number; now: number }) => Promise<unknown>;
};

export type SandboxParts = {
  database: Pick<Database, 'db' | 'dialect'>;
  clock: { now: () => number };
  site: { origin: string };
  calendar: Calendar;
  work: SandboxWork;
};

/** For tests that deliver and renew by hand. */
export const noWork: SandboxWork = {
  deliver: () => Promise.resolve(),
  renewAt: () => Promise.resolve(),
  decideAt: () => Promise.resolve(),
};

export const inTransaction = <T>(parts: SandboxParts, act: (tx: Tx) => Promise<T>): Promise<T> =>
  parts.database.db.transaction().execute(act);
