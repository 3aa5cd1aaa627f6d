/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { recordBackup } from '../backup/service.ts';
import { startWatchedSite, type WatchedSite } from '../../testing/watched-site.ts';

let site: WatchedSite;
beforeEach(async () => {
  site = await startWatchedSite();
});
afterEach(() => site.close());

describe('a backup', () => {
  it('is missing once a mix has been out for a day', async () => {
    const { database, storage } = site.deps;
    await site.look();
    expect(await site.textOf('backup')).toBeUndefined();
    const now = site.clock.now();
    await seedTrack({ db: database.db, storage, now }, { publish_at: now - 2 * HOUR });
    site.clock.advance(10 * MINUTE);
    await site.look();
    expect(await site.textOf('backup')).toBeUndefined();
    site.clock.advance(DAY);
    await site.look();
    expect(await site.textOf('backup')).toBe(
      'There has never been a backup: whatever happens now can’t be undone.',
    );
    expect(site.daily().at(-1)?.text).toContain('There has never been a backup');
  });

  it.each([
    ['that is older than a day', { lastAt: -3 * DAY }, /^The last backup was made Thu 12 Nov, /],
    ['that nobody has read back', { lastVerifiedAt: -9 * DAY }, /restored as a test was Fri 6 Nov/],
    ['that was never read back', { lastVerifiedAt: null }, /^Nobody knows whether the backups/],
    [
      'that failed',
      { problem: 'The disk is full.' },
      /^The last backup failed: The disk is full\./,
    ],
  ])('%s is named until there is a better one', async (_what, change, expected) => {
    const { db } = site.deps.database;
    const now = site.clock.now();
    const at = (ms: number | null) => (ms === null ? null : now + ms);
    const {
      lastAt = -HOUR,
      lastVerifiedAt = -DAY,
      problem = null,
    } = change as {
      lastAt?: number;
      lastVerifiedAt?: number | null;
      problem?: string;
    };
    const state = { lastAt: at(lastAt), lastVerifiedAt: at(lastVerifiedAt), problem };
    await recordBackup(db, state, now);
    await site.look();
    expect(await site.textOf('backup')).toMatch(expected);
    expect(site.daily()).toHaveLength(1);
    const well = { lastAt: now, lastVerifiedAt: now, problem: null };
    await recordBackup(db, well, now);
    site.clock.advance(10 * MINUTE);
    await site.look();
    expect(await site.textOf('backup')).toBeUndefined();
  });
});
