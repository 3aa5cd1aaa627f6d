/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startOfDay } from '#contract/rules/days.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { findFullScans, recordPlan } from '../../testing/explain.ts';
import { addUpUsage } from './jobs.ts';
import { startUsageSite, type UsageSite } from '../../testing/usage-site.ts';

let site: UsageSite;
beforeEach(async () => {
  site = await startUsageSite();
});
afterEach(() => site.close());

describe('adding up', () => {
  it('goes on where it stopped, and catches up in batches after weeks without running', async () => {
    const first = site.clock.now();
    for (let day = 0; day < 70; day += 1) await site.insertPlay(first + day * DAY);
    // A clock that was years slow.
    await site.insertPlay(first - 2000 * DAY);
    site.clock.advance(75 * DAY);
    const aborted = new AbortController();
    aborted.abort();
    const job = { signal: aborted.signal } as Parameters<typeof addUpUsage.execute>[2];
    await expect(addUpUsage.execute(site.deps, '{}', job)).rejects.toThrow('aborted');
    expect(await site.readAll()).toEqual([]);
    const added: number[] = [];
    for (let run = 0; run < 4; run += 1) {
      await site.addUp();
      added.push((await site.readAll()).length);
    }
    expect(added).toEqual([30, 61, 71, 71]);
    expect((await site.countPlays()).every(([, plays]) => plays === 1)).toBe(true);
  });

  it('counts every play once when clocks or the time zone change', async () => {
    const start = startOfDay('2026-11-16', 'Africa/Johannesburg');
    const hours = 10 * 24;
    for (let hour = 0; hour < hours; hour += 1) await site.insertPlay(start + hour * HOUR);
    const total = async () => (await site.countPlays()).reduce((sum, [, plays]) => sum + plays, 0);
    const runAt = async (at: number, timeZone: string) => {
      site.clock.advance(at - site.clock.now());
      Object.defineProperty(site.deps.config, 'timeZone', { value: timeZone, configurable: true });
      await site.addUp();
    };
    await runAt(start + 5 * DAY, 'Africa/Johannesburg');
    const before = await site.readAll();
    expect(await site.countPlays()).toEqual([
      ['2026-11-16', 24],
      ['2026-11-17', 24],
    ]);
    // Eleven hours east, thirteen to the west of it, and back.
    await runAt(start + 6 * DAY, 'Pacific/Kiritimati');
    await runAt(start + 7 * DAY, 'Pacific/Pago_Pago');
    await runAt(start + 9 * DAY, 'Africa/Johannesburg');
    expect((await site.readAll()).slice(0, 2)).toEqual(before);
    await runAt(start + 20 * DAY, 'Africa/Johannesburg');
    const days = await site.countPlays();
    expect(new Set(days.map(([day]) => day)).size).toBe(days.length);
    expect(await total()).toBe(hours);
  });

  /** More than a day without a jump, after which the time is believed. */
  async function runForADay() {
    for (let hour = 0; hour < 26; hour += 1) {
      site.clock.advance(HOUR);
      await site.addUp();
    }
  }

  it('takes days back that a fast clock added up too early, once it has been right for a day', async () => {
    const start = site.clock.now();
    await site.insertPlay(start);
    site.clock.advance(60 * DAY);
    await site.addUp();
    await site.addUp();
    expect(await site.countPlays()).toEqual([['2026-11-15', 1]]);
    site.clock.advance(2 * HOUR - 60 * DAY);
    await site.insertPlay(start + HOUR);
    await site.insertPlay(start + DAY);
    await site.addUp();
    expect(await site.countPlays()).toEqual([['2026-11-15', 1]]);
    await runForADay();
    // Those that are over by now aren't early any more, and what was heard in them is added up again.
    expect(await site.countPlays()).toEqual([['2026-11-15', 2]]);
    await site.addUpLater();
    expect(await site.countPlays()).toEqual([
      ['2026-11-15', 2],
      ['2026-11-16', 1],
    ]);
  });

  it('takes nothing back because of a clock that is slow for some hours', async () => {
    const days = 40;
    for (let day = 0; day < days; day += 1) await site.insertPlay(site.clock.now() + day * DAY);
    await site.addUpLater(days + 4);
    await runForADay();
    const before = await site.readAll();
    expect(before).toHaveLength(days);
    site.clock.advance(-365 * DAY);
    await site.addUp();
    site.clock.advance(HOUR);
    await site.addUp();
    expect(await site.readAll()).toEqual(before);
    expect(site.logText()).toContain('The clock is days behind');
    site.clock.advance(365 * DAY);
    await site.addUp();
    expect(await site.readAll()).toEqual(before);
  });

  it('reads plays by an index only', async () => {
    await site.insertPlay(site.clock.now());
    await site.addUpLater();
    await site.insertPlay(site.clock.now() - 4 * DAY, { listened_at: site.clock.now() });
    site.clock.advance(DAY);
    const job = { signal: new AbortController().signal };
    const steps = await recordPlan(site.deps.database, () =>
      addUpUsage.execute(site.deps, '{}', job as Parameters<typeof addUpUsage.execute>[2]),
    );
    expect(steps.filter(({ table }) => table === 'plays').length).toBeGreaterThan(2);
    expect(findFullScans(steps, 'plays', 'heard_days', 'podcast_requests')).toEqual([]);
    const read = await recordPlan(site.deps.database, () => site.readAll());
    expect(findFullScans(read, 'heard_days')).toEqual([]);
  });
});
