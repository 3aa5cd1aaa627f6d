import { SqliteAdapter, sql, type Compilable, type CompiledQuery, type RawBuilder } from 'kysely';
import type { Db } from './connect.ts';
import type { Tables } from './types/tables.ts';

class Slot {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

type Read<O> = (parameters: readonly unknown[]) => O[] | Promise<O[]>;
type Compiled<O> = { read: Read<O>; slots: readonly unknown[] };

/** Runs prepared queries in a way that is quicker than Kysely's. */
export type DirectReader = <O>(query: CompiledQuery<O>) => Read<O>;

const readers = new WeakMap<Db, DirectReader>();

export const readDirectly = (db: Db, reader: DirectReader): void => void readers.set(db, reader);

const readWithKysely =
  (db: Db): DirectReader =>
  <O>(query: CompiledQuery<O>) =>
  async (parameters) =>
    (await db.executeQuery<O>({ ...query, parameters })).rows;

/**
 * A query that is built once per database and then only gets new values, for the few queries that
 * run on every request. The values must be plain parameters of the query. SQLite answers at once, and
 * then there is no promise to wait for.
 */
export function prepareQuery<P extends readonly unknown[], O>(
  build: (db: Db, ...values: P) => Compilable<O>,
  arity: P['length'],
): (db: Db, ...values: P) => O[] | Promise<O[]> {
  const compiled = new WeakMap<Db, Compiled<O>>();
  const compile = (db: Db): Compiled<O> => {
    const slots = Array.from({ length: arity }, (_, index) => new Slot(index));
    const query = build(db, ...(slots as unknown as P)).compile();
    const missing = slots.find((slot) => !query.parameters.includes(slot));
    if (missing) throw new Error(`Value ${missing.index} is not a parameter of: ${query.sql}`);
    const reader = readers.get(db) ?? readWithKysely(db);
    return { read: reader(query), slots: query.parameters };
  };
  return (db, ...values) => {
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

/** Who is waiting for an answer, by their question. */
type Turn<O> = Map<string, PromiseWithResolvers<O[]>>;

/**
 * A prepared query for everyone who asks in the same turn of the event loop: it runs once, at the end of
 * the turn, and each gets what was committed before they asked. Many at once take about half the
 * processor time this way; one alone takes a little more (decision 46).
 *
 * `questions` is the JSON list of what they ask for; join it with `fromQuestions`, and select `asked`,
 * which says whose row it is. A question that fails the query fails it for all, so ask only with values
 * of our own, such as a hash or an id from the database.
 *
 * Dependent batches run on `nextTick` and still share one query.
 */
export function prepareBatch<O extends { asked: number }>(
  build: (db: Db, questions: string) => Compilable<O>,
  atEndOfTurn: (end: (db: Db, turn: Turn<O>) => void, db: Db, turn: Turn<O>) => void = setImmediate,
): (db: Db, question: unknown) => Promise<O[]> {
  const read = prepareQuery(build, 1);
  const turns = new WeakMap<Db, Turn<O>>();

  async function endTurn(db: Db, turn: Turn<O>): Promise<void> {
    turns.delete(db);
    const waiting = [...turn.values()];
    try {
      const found = waiting.map((): O[] => []);
      for (const row of await read(db, `[${[...turn.keys()].join()}]`)) found[row.asked]?.push(row);
      for (const [index, { resolve }] of waiting.entries()) resolve(found[index] ?? []);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  return (db, question) => {
    let turn = turns.get(db);
    if (!turn) {
      turn = new Map();
      turns.set(db, turn);
      atEndOfTurn(endTurn, db, turn);
    }
    const text = JSON.stringify(question);
    const answer = turn.get(text) ?? Promise.withResolvers<O[]>();
    turn.set(text, answer);
    return answer.promise;
  };
}

const isSqlite = (db: Db): boolean => db.getExecutor().adapter instanceof SqliteAdapter;

/**
 * The questions of a batch: `asked`, and a column for each of these fields. Without `limit -1` or
 * `offset 0`, which leave nothing out, a field would be read from the JSON anew for every row that it is
 * compared with.
 */
export function fromQuestions(db: Db, questions: string, fields: readonly string[]) {
  const columns = fields.map((name) => sql`, value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
  const names = sql.join(columns, sql``);
  return isSqlite(db)
    ? sql`(select key as asked ${names} from json_each(${questions}) limit -1)`
    : sql`(
        select ordinality::int - 1 as asked ${names}
        from json_array_elements(${questions}::json) with ordinality offset 0
      )`;
}

/**
 * A left join with the one row that matches, always found by its index. PostgreSQL would otherwise plan
 * for a hundred questions, and read a whole table for them.
 */
export const lookUp = (db: Db, table: keyof Tables, condition: RawBuilder<unknown>) =>
  isSqlite(db)
    ? sql`left join ${sql.table(table)} on ${condition}`
    : sql`left join lateral (
        select * from ${sql.table(table)} where ${condition} limit 1
      ) as ${sql.table(table)} on true`;

/** The rows of a JSON list, as the column `value`: a list of any length is one parameter. */
export const fromJsonList = (db: Db, list: string | RawBuilder<string>) =>
  isSqlite(db)
    ? sql<{ value: string }>`json_each(${list})`
    : sql<{ value: string }>`json_array_elements_text(${list}::json)`;
