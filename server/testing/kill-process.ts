import type { Database } from '../db/connect.ts';
import type { Payments } from '../ports/payments/payments.ts';

/** Thrown where a real process would be dead. */
export class Killed extends Error {
  override name = 'Killed';
}

/** Where the process dies: before its `count`th transaction or call, or after it. */
export type KillStep = { count: number; isAfter: boolean };

const WRITES = new Set<string | symbol>(['insertInto', 'updateTable', 'deleteFrom']);

/**
 * Simulates the end of the process at the given transaction: just before it, or just after its commit
 * and before the response. From then on nothing is written until `restart`.
 */
export function killAt(database: Database, step: KillStep) {
  const { db } = database;
  let count = 0;
  let isDead = false;
  const refuse = () => {
    isDead = true;
    throw new Killed('The process was killed.');
  };
  const transaction: typeof db.transaction = () => {
    const builder = db.transaction();
    return Object.assign(Object.create(builder) as typeof builder, {
      execute: async (work: Parameters<typeof builder.execute>[0]) => {
        if (isDead) return refuse();
        count += 1;
        if (count < step.count) return builder.execute(work);
        if (step.isAfter) await builder.execute(work);
        return refuse();
      },
    });
  };
  /** A write without a transaction counts as one. */
  const countWrite = () => {
    count += 1;
    if (isDead || (count >= step.count && !step.isAfter)) refuse();
    if (count >= step.count) isDead = true;
  };
  const dying = new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') return transaction;
      if (WRITES.has(name)) countWrite();
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  Object.assign(database, { db: dying });
  return {
    /** Returns whether it had been killed. */
    restart: (): boolean => {
      Object.assign(database, { db });
      return isDead;
    },
  };
}

export const CALLS = [
  'startPayment',
  'readPayment',
  'charge',
  'refund',
  'listChanges',
  'forgetCard',
] as const;

/** The same at a call of the provider: just before it, or after it was done but before its response. */
export function killAtCall(payments: Payments, step: KillStep) {
  const working = { ...payments };
  let count = 0;
  const dying = (name: (typeof CALLS)[number]) => {
    const call = working[name] as (...input: unknown[]) => Promise<unknown>;
    return async (...input: unknown[]) => {
      count += 1;
      if (count < step.count) return call(...input);
      if (count === step.count && step.isAfter) await call(...input);
      throw new Killed('The process was killed.');
    };
  };
  Object.assign(payments, Object.fromEntries(CALLS.map((name) => [name, dying(name)])));
  return {
    restart: (): boolean => {
      Object.assign(payments, working);
      return count >= step.count;
    },
  };
}

/** Generous: each attempt opens a site. */
export const EACH_STEP = { timeout: 300_000 };

/**
 * Attempts the same on a new site, killed before and after each of its steps, until an attempt has
 * no more steps: one that the code gains is tested without a change here. `attempt` returns what
 * `restart` returned.
 */
export async function killAtEachStep(
  reopen: () => Promise<unknown>,
  attempt: (step: KillStep) => Promise<boolean>,
): Promise<void> {
  for (let count = 1; ; count += 1) {
    for (const isAfter of [false, true]) {
      try {
        const wasKilled = await attempt({ count, isAfter });
        if (!wasKilled && count > 1 && !isAfter) return;
        if (!wasKilled) throw new Error('Nothing was killed.');
      } catch (error) {
        const when = `Killed ${isAfter ? 'after' : 'before'} step ${count}`;
        if (error instanceof Error) error.message = `${when}: ${error.message}`;
        throw error;
      }
      await reopen();
    }
  }
}
