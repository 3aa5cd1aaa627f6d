import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './connect.ts';

class Slot {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

type Read<O> = (parameters: readonly unknown[]) => O[] | Promise<O[]>;
type Compiled<O> = { read: Read<O>; slots: readonly unknown[] };

const readers = new WeakMap<Db, () => DatabaseSync>();

/**
 * Runs the prepared queries of a SQLite database on their own connection, because on the shared one
 * they would wait for every running transaction. Returns how to close it.
 */
export function readDirectly(db: Db, open: () => DatabaseSync): () => void {
  let reader: DatabaseSync | undefined;
  readers.set(db, () => (reader ??= open()));
  return () => {
    readers.delete(db);
    reader?.close();
  };
}

function nameValues(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index += 1) row[names[index] ?? ''] = values[index];
  return row;
}

function createRead<O>(db: Db, query: CompiledQuery<O>): Read<O> {
  const openReader = readers.get(db);
  if (!openReader)
    return async (parameters) => (await db.executeQuery<O>({ ...query, parameters })).rows;
  const statement = openReader().prepare(query.sql);
  const names = statement.columns().map(({ name }) => name);
  // Naming the columns here is twice as fast as letting SQLite name them for each row.
  statement.setReturnArrays(true);
  return (parameters) =>
    (statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]).map((values) =>
      nameValues(names, values),
    ) as O[];
}

/**
 * A query that is built once per database and then only gets new values, for the few queries that
 * run on every request. The values must be plain parameters of the query.
 */
export function prepareQuery<P extends readonly unknown[], O>(
  build: (db: Db, ...values: P) => Compilable<O>,
  arity: P['length'],
): (db: Db, ...values: P) => Promise<O[]> {
  const compiled = new WeakMap<Db, Compiled<O>>();
  const compile = (db: Db): Compiled<O> => {
    const slots = Array.from({ length: arity }, (_, index) => new Slot(index));
    const query = build(db, ...(slots as unknown as P)).compile();
    const missing = slots.find((slot) => !query.parameters.includes(slot));
    if (missing) throw new Error(`Value ${missing.index} is not a parameter of: ${query.sql}`);
    return { read: createRead(db, query), slots: query.parameters };
  };
  return async (db, ...values): Promise<O[]> => {
    let known = compiled.get(db);
    if (!known) {
      known = compile(db);
      compiled.set(db, known);
    }
    return known.read(
      known.slots.map((slot) => (slot instanceof Slot ? values[slot.index] : slot)),
    );
  };
}
