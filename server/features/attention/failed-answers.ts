import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { MINUTE, SECOND } from '#contract/rules/time.ts';
import type { Database, Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';

/** A minute of errors is a few writes, however many requests fail in it. */
const WRITE_AFTER_MS = 5 * SECOND;

/** By minute: what this process hasn’t written yet. */
const unwritten = new WeakMap<Database, Map<number, number>>();

async function addFailures(db: Db, minute: number, count: number): Promise<void> {
  await db
    .insertInto('failed_answers')
    .values({ minute, count })
    .onConflict((conflict) =>
      conflict
        .column('minute')
        .doUpdateSet({ count: sql<number>`failed_answers.count + excluded.count` }),
    )
    .execute();
}

/** What can’t be written now, perhaps because the database is why the answers failed, waits. */
export async function writeFailures({ database }: Pick<Deps, 'database'>): Promise<void> {
  const counts = unwritten.get(database);
  for (const [minute, count] of counts ?? []) {
    counts?.delete(minute);
    try {
      await addFailures(database.db, minute, count);
    } catch (error) {
      counts?.set(minute, (counts.get(minute) ?? 0) + count);
      throw error;
    }
  }
}

/** Counts answers with an error of ours. Those that too much load refuses are no errors. */
export function countFailedAnswers(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;
  const counts = new Map<number, number>();
  unwritten.set(database, counts);
  let timer: NodeJS.Timeout | null = null;
  const write = () =>
    writeFailures(deps)
      .catch(() => undefined)
      .finally(() => {
        timer = null;
        if (counts.size > 0) writeSoon();
      });
  const writeSoon = () => {
    timer ??= setTimeout(() => void write(), WRITE_AFTER_MS).unref();
  };
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode >= 500 && !request.isShed) {
      const now = clock.now();
      const minute = now - (now % MINUTE);
      counts.set(minute, (counts.get(minute) ?? 0) + 1);
      writeSoon();
    }
    done();
  });
  app.addHook('onClose', async () => {
    if (timer) clearTimeout(timer);
    await writeFailures(deps).catch(() => undefined);
  });
}
