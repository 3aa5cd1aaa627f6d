import type { Database } from '../db/connect.ts';

/** Runs a callback right before the next transaction starts. */
export function beforeNextTransaction(database: Database, happen: () => Promise<void>) {
  const { db } = database;
  const transaction: typeof db.transaction = () => {
    Object.assign(database, { db });
    const builder = db.transaction();
    return Object.assign(Object.create(builder) as typeof builder, {
      execute: async (work: Parameters<typeof builder.execute>[0]) => {
        await happen();
        return builder.execute(work);
      },
    });
  };
  const intercepted = new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') return transaction;
      const member: unknown = Reflect.get(target, name, target);
      // Only the real object has Kysely's private fields.
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  Object.assign(database, { db: intercepted });
}
