/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '#contract/rules/time.ts';
import { enqueueRun, toSchedule } from '../../jobs/schedules.ts';
import { checkSite } from './jobs.ts';
import { noteServer } from './server-readings.ts';
import { lookAround } from './site-checks.ts';
import { GB, STEADY, startWatchedSite, type WatchedSite } from '../../testing/watched-site.ts';

let site: WatchedSite;
beforeEach(async () => {
  site = await startWatchedSite();
});
afterEach(() => site.close());

describe('a check', () => {
  it('that failed or didn’t run is never good news', async () => {
    const before = (await site.readWeek()).checks;
    expect(before.map(({ trouble }) => trouble)).toEqual(before.map(() => 'Not checked yet.'));
    await lookAround(site.deps);
    await noteServer(site.deps, async () => ({ free: 50 * GB, size: 100 * GB }));
    site.clock.advance(10 * MINUTE);
    const broken = STEADY.map((check) => ({
      ...check,
      ...(check.kind === 'backup' && {
        look: async () => {
          throw new Error('The folder is gone.');
        },
      }),
    }));
    await site.look({ checks: broken });
    const { checks } = await site.readWeek();
    const troubles = checks.flatMap(({ kind, trouble }) => (trouble ? [[kind, trouble]] : []));
    expect(troubles).toEqual([
      ['backup', 'Not checked since Sun 15 Nov, 14:00: The folder is gone.'],
    ]);
    expect(site.daily().at(-1)?.text).toContain('- Backup: Not checked since Sun 15 Nov, 14:00');
    site.clock.advance(2 * HOUR);
    const stale = (await site.readWeek()).checks.filter(({ trouble }) => trouble !== null);
    expect(stale.map(({ kind }) => kind)).toEqual([
      'mail',
      'disk',
      'backup',
      'jobs',
      'clock',
      'errors',
      'payments',
    ]);
  });

  it('runs by itself every ten minutes, whatever else waits', async () => {
    const { db } = site.deps.database;
    const schedule = toSchedule(checkSite);
    if (schedule)
      await enqueueRun(db, schedule, { now: site.clock.now(), runAt: site.clock.now() });
    await site.worker.runDue();
    const first = site.clock.now();
    expect((await site.checkOf('disk'))?.lookedAt).toBe(first);
    site.clock.advance(10 * MINUTE);
    await site.worker.runDue();
    expect((await site.checkOf('disk'))?.lookedAt).toBe(first + 10 * MINUTE);
    expect((await site.checkOf('certificate'))?.lookedAt).toBe(first);
  });
});

it('what was found is a metric, and so is how long ago somebody looked', async () => {
  await site.close();
  site = await startWatchedSite({ config: { metricsToken: 'a token that is long enough' } });
  const readMetrics = async () => {
    const headers = { authorization: 'Bearer a token that is long enough' };
    const lines = (await site.app.inject({ url: '/metrics', headers })).body.split('\n');
    return lines.filter((line) =>
      /^weekender_(?:alarm|check_age_seconds)\{kind="disk"\}/.test(line),
    );
  };
  expect(await readMetrics()).toEqual([]);
  await site.look({ free: 9 * GB });
  site.clock.advance(5 * MINUTE);
  expect(await readMetrics()).toEqual([
    'weekender_alarm{kind="disk"} 1',
    'weekender_check_age_seconds{kind="disk"} 300',
  ]);
  site.clock.advance(5 * MINUTE);
  await site.look({ free: 60 * GB });
  expect(await readMetrics()).toEqual([
    'weekender_alarm{kind="disk"} 0',
    'weekender_check_age_seconds{kind="disk"} 0',
  ]);
});
