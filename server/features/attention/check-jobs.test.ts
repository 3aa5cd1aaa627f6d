/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '#contract/rules/time.ts';
import { claimNext } from '../../jobs/leases.ts';
import { recoverJobs } from '../../jobs/outcome.ts';
import { lookAround } from './site-checks.ts';
import { startWatchedSite, type WatchedSite } from '../../testing/watched-site.ts';

let site: WatchedSite;
beforeEach(async () => {
  site = await startWatchedSite();
});
afterEach(() => site.close());

describe('a job', () => {
  it('that waits for longer than its lane should is named, unless it is paused', async () => {
    const id = await site.addJob({ name: 'make-refund', unique_key: 'x' });
    site.clock.advance(2 * HOUR);
    await lookAround(site.deps);
    expect(await site.textOf('jobs')).toBe('1 job waits far too long: “Refund a payment”.');
    const pause = (isPaused: boolean) =>
      site.admin.client.request({
        method: 'PUT',
        url: '/api/admin/job-pauses',
        payload: { target: 'lane:payments', isPaused },
      });
    await pause(true);
    site.clock.advance(10 * MINUTE);
    await lookAround(site.deps);
    expect(await site.textOf('jobs')).toBeUndefined();
    expect(await site.textOf('paused-jobs')).toContain('Payments');
    await pause(false);
    site.clock.advance(10 * MINUTE);
    await lookAround(site.deps);
    expect(await site.textOf('jobs')).toBeDefined();
    await site.deps.database.db.deleteFrom('jobs').where('id', '=', id).execute();
    site.clock.advance(10 * MINUTE);
    await lookAround(site.deps);
    expect(await site.textOf('jobs')).toBeUndefined();
  });

  it('that is interrupted again and again, because its workers disappear, is named', async () => {
    const { database } = site.deps;
    const id = await site.addJob({ name: 'ingest-track', lane: 'media' });
    for (let kill = 0; kill < 3; kill += 1) {
      const wanted = { lane: 'media', names: ['ingest-track'] } as const;
      const times = { now: site.clock.now(), leaseMs: MINUTE };
      expect((await claimNext(database, wanted, times))?.id).toBe(id);
      // Its worker is killed: nobody renews the lease.
      site.clock.advance(2 * MINUTE);
      expect(await recoverJobs(database, new Map(), site.clock.now())).toMatchObject([{ id }]);
    }
    const job = await database.db
      .selectFrom('jobs')
      .select(['interruptions', 'state'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(job).toEqual({ interruptions: 3, state: 'ready' });
    await lookAround(site.deps);
    expect(await site.textOf('jobs')).toBe(
      '1 job keeps failing or being interrupted: “Process audio”.',
    );
    await database.db.deleteFrom('jobs').execute();
    site.clock.advance(10 * MINUTE);
    await lookAround(site.deps);
    expect(await site.textOf('jobs')).toBeUndefined();
  });
});
