/** @module-tag both-databases */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { readProviderTime } from '../../ports/payments/provider-answers.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { CHECKS, lookAround } from './site-checks.ts';
import { startWatchedSite, type WatchedSite } from '../../testing/watched-site.ts';

let site: WatchedSite;
beforeEach(async () => {
  site = await startWatchedSite();
});
afterEach(() => site.close());

describe('a clock', () => {
  const clockOnly = CHECKS.filter(({ kind }) => kind === 'clock');
  const setRight = () => site.clock.advance(Date.now() - site.clock.now());

  it('that differs from the database’s or the payment provider’s is named until it is right', async () => {
    const provider = createServer((_request, response) => response.end());
    await new Promise<void>((resolve) => {
      provider.listen(0, '127.0.0.1', resolve);
    });
    const { port } = provider.address() as AddressInfo;
    site.deps.payments.readTime = () => readProviderTime(`http://127.0.0.1:${port}`, 5000);
    // The database is asked about this machine’s clock, the provider about the site’s.
    const machine = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3 * HOUR);
    expect(Math.abs(site.clock.now() - Date.now())).toBeGreaterThan(MINUTE);
    await site.look({ checks: clockOnly });
    machine.mockRestore();
    const other = site.deps.database.dialect === 'postgres' ? 'database' : 'payment provider';
    expect(await site.textOf('clock')).toMatch(
      new RegExp(`^The clock.* is \\d+ \\w+ (?:ahead of|behind) the ${other}’s\\. Releases, `),
    );
    expect(site.urgent()).toHaveLength(1);
    setRight();
    site.clock.advance(0);
    await site.look({ checks: clockOnly });
    expect(await site.textOf('clock')).toBeUndefined();
    await new Promise((resolve) => {
      provider.close(resolve);
    });
    site.clock.advance(2 * HOUR);
    await site.look({ checks: clockOnly });
    if (site.deps.database.dialect === 'sqlite')
      expect((await site.checkOf('clock'))?.trouble).toMatch(
        /^Not checked since .*: .*fetch failed/,
      );
  });

  itOnSqlite('that is set back is named, whichever of the two times was wrong', async () => {
    await site.look({ checks: clockOnly });
    expect(await site.textOf('clock')).toBeUndefined();
    site.clock.advance(-3 * HOUR);
    await site.look({ checks: clockOnly });
    expect(await site.textOf('clock')).toMatch(
      /^The clock is 3 hours behind when the site last looked\. Either it was wrong then, or it is now\./,
    );
    expect(site.urgent()).toHaveLength(1);
    site.clock.advance(2 * HOUR);
    await site.look({ checks: clockOnly });
    expect(await site.textOf('clock')).toBeUndefined();
  });

  itOnSqlite('that jumps ahead by days is named until the site has run for a day', async () => {
    await site.worker.runDue();
    await lookAround(site.deps, clockOnly);
    expect(await site.textOf('clock')).toBeUndefined();
    site.clock.advance(40 * DAY);
    await site.worker.runDue();
    const mark = await site.deps.database.db.selectFrom('clock_mark').selectAll().execute();
    expect(mark).toMatchObject([{ steady_ms: 0 }]);
    await lookAround(site.deps, clockOnly);
    expect(await site.textOf('clock')).toMatch(
      /^The clock is days ahead of when the site last ran\./,
    );
    for (let hour = 0; hour <= 24; hour += 1) {
      site.clock.advance(HOUR);
      await site.worker.runDue();
    }
    await lookAround(site.deps, clockOnly);
    expect(await site.textOf('clock')).toBeUndefined();
  });
});
