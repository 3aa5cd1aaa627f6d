import type { Database } from '../db/connect.ts';

/** What a process that is killed never gets to say. */
export class Killed extends Error {
  override name = 'Killed';
}

/**
 * Ends the process, as far as a test can, at the given transaction: just before it, or just after it
 * was committed and before anybody knew. From then on nothing is written until it is started again.
 */
export function killAt(database: Database, step: { transaction: number; isAfter: boolean }) {
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
        if (count < step.transaction) return builder.execute(work);
        if (step.isAfter) await builder.execute(work);
        return refuse();
      },
    });
  };
  const dying = new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') return transaction;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  Object.assign(database, { db: dying });
  return {
    /** Starts it again; answers whether it had been killed. */
    restart: (): boolean => {
      Object.assign(database, { db });
      return isDead;
    },
  };
}
