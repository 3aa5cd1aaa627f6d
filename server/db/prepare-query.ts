import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Db } from './connect.ts';

class Slot {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

type Compiled<O> = { query: CompiledQuery<O>; slots: readonly unknown[] };

/**
 * A query that is built and compiled once for each database and from then on only takes values:
 * for the few that stand in the way of every request. The values must be plain parameters of it.
 */
export function prepareQuery<P extends readonly unknown[], O>(
  build: (db: Db, ...values: P) => Compilable<O>,
  arity: P['length'],
): (db: Db, ...values: P) => Promise<O[]> {
  const compiled = new WeakMap<Kysely<never>, Compiled<O>>();
  const compile = (db: Db): Compiled<O> => {
    const slots = Array.from({ length: arity }, (_, index) => new Slot(index));
    const query = build(db, ...(slots as unknown as P)).compile();
    const missing = slots.find((slot) => !query.parameters.includes(slot));
    if (missing) throw new Error(`Value ${missing.index} is no parameter of: ${query.sql}`);
    return { query, slots: query.parameters };
  };
  return async (db, ...values): Promise<O[]> => {
    let known = compiled.get(db as unknown as Kysely<never>);
    if (!known) {
      known = compile(db);
      compiled.set(db as unknown as Kysely<never>, known);
    }
    const parameters = known.slots.map((slot) =>
      slot instanceof Slot ? values[slot.index] : slot,
    );
    const { rows } = await db.executeQuery<O>({ ...known.query, parameters });
    return rows;
  };
}
