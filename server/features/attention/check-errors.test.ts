/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HOUR, MINUTE } from '#contract/rules/time.ts';
import { startWatchedSite, type WatchedSite } from '../../testing/watched-site.ts';

let site: WatchedSite;
beforeEach(async () => {
  site = await startWatchedSite();
});
afterEach(() => site.close());

it('errors above their usual rate can’t wait, and are over when answers are well again', async () => {
  const ping = site.deps.database.ping;
  site.deps.database.ping = async () => {
    throw new Error('The database is gone.');
  };
  const fail = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      site.clock.advance(3000);
      const { statusCode } = await site.admin.client.request({ url: '/api/health' });
      expect(statusCode).toBe(503);
    }
  };
  await fail(9);
  await site.look();
  expect(await site.textOf('errors')).toBeUndefined();
  site.clock.advance(10 * MINUTE);
  await fail(20);
  await site.look();
  expect(await site.textOf('errors')).toBe(
    '29 requests failed in the last 15 minutes, 2 a minute; usually it’s hardly any. The log says why.',
  );
  expect(site.urgent()).toHaveLength(1);
  site.deps.database.ping = ping;
  site.clock.advance(20 * MINUTE);
  await site.look();
  expect(await site.textOf('errors')).toBeUndefined();
  // As many as ever are no news.
  const { db } = site.deps.database;
  const minute = site.clock.now() - (site.clock.now() % MINUTE);
  const rows = Array.from({ length: 6 * 24 * 4 }, (_, n) => ({
    minute: minute - 2 * HOUR - n * 15 * MINUTE,
    count: 30,
  }));
  await db.insertInto('failed_answers').values(rows).execute();
  await db.insertInto('failed_answers').values({ minute, count: 29 }).execute();
  site.clock.advance(10 * MINUTE);
  await site.look();
  expect(await site.textOf('errors')).toBeUndefined();
});
