import type { FastifyInstance } from 'fastify';
import { DAY } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';

/** What a site does every few minutes about payments. In a month of seconds that would be years late. */
const SCHEDULES = ['renew-due', 'settle-asked', 'dun'].map((name) => `schedule:${name}`);
const SHORTEST_MS = 250;

/** Makes them due once in every shortened day, as long as the server listens. */
export function shortenSchedules(app: FastifyInstance, deps: Deps) {
  const { config, database, clock, jobs, log, payments } = deps;
  const dayMs = payments.calendar.addDays(0, 1);
  if (config.payments.provider !== 'sandbox' || dayMs >= DAY) return;
  const runNow = () =>
    database.db
      .updateTable('jobs')
      .set({ run_at: clock.now() })
      .where('unique_key', 'in', SCHEDULES)
      .where('state', '=', 'ready')
      .where('run_at', '>', clock.now())
      .execute();
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(() => void tick(), Math.max(dayMs, SHORTEST_MS)).unref();
  };
  async function tick() {
    await runNow().then(
      () => jobs.wake(),
      (error: unknown) => log.warn({ err: error }, 'Could not hurry the payments.'),
    );
    if (timer) wait();
  }
  app.addHook('onListen', async () => wait());
  app.addHook('onClose', async () => {
    clearTimeout(timer);
    timer = undefined;
  });
}
