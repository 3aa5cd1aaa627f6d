import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { HOUR, SECOND } from '#contract/rules/time.ts';

const GATHER_MS = 10 * SECOND;

/** For those without a good signature alone: what the provider really sent is never held up by others. */
export const forgedByAddress: RateLimit = { name: 'forged-webhook', limit: 60, periodMs: HOUR };

/** That somebody tries is worth knowing; what they sent is not worth keeping. */
export const forgedCounter = (provider: string): string => `forged-webhooks:${provider}`;

export type ForgedTally = { count: () => Promise<void>; write: () => Promise<void> };

/**
 * Counts every one of them. The first is written down at once, those that follow on its heels
 * together: however many come, the database hears of them every ten seconds.
 */
export function createForgedTally({ database, payments, clock, log }: Deps): ForgedTally {
  let waiting = 0;
  let writtenAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === 0) return;
    const count = waiting;
    waiting = 0;
    writtenAt = clock.now();
    log.warn({ provider: payments.name, count }, 'Webhooks without a good signature came in.');
    await database.db
      .insertInto('counters')
      .values({ name: forgedCounter(payments.name), value: count })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ value: sql<number>`counters.value + ${count}` }),
      )
      .execute();
  };

  return {
    write,
    count: async () => {
      waiting += 1;
      if (clock.now() - writtenAt >= GATHER_MS) return write();
      timer ??= setTimeout(
        () =>
          void write().catch((err: unknown) =>
            log.error({ err }, 'The count of forged webhooks could not be kept.'),
          ),
        GATHER_MS,
      ).unref();
    },
  };
}
