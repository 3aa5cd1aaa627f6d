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
 * Lets the prepared queries of a SQLite database past the query builder and its one connection, where
 * they would wait for every transaction in progress. Answers how to close what was opened.
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
  // Naming the columns here takes half as long as having them named for each row.
  statement.setReturnArrays(true);
  return (parameters) =>
    (statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]).map((values) =>
      nameValues(names, values),
    ) as O[];
}

/**
 * A query that is built and compiled once for each database and from then on only takes values:
 * for the few that stand in the way of every request. The values must be plain parameters of it.
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
    if (missing) throw new Error(`Value ${missing.index} is no parameter of: ${query.sql}`);
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
