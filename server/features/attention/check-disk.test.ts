/** @module-tag both-databases */
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { noteServer } from './server-readings.ts';
import { GB, startWatchedSite, type WatchedSite } from '../../testing/watched-site.ts';

let site: WatchedSite;
beforeEach(async () => {
  site = await startWatchedSite();
});
afterEach(() => site.close());

describe('a disk', () => {
  it('with less than a tenth left can’t wait: it is told once a day, and is over once there is room', async () => {
    await site.look({ free: 11 * GB });
    expect(await site.textOf('disk')).toBeUndefined();
    site.clock.advance(10 * MINUTE);
    await site.look({ free: 9.5 * GB });
    const text = 'The disk has 9.5 GB (9%) left. When it is full, nothing can be saved.';
    expect(await site.textOf('disk')).toBe(text);
    expect(site.sent.map(({ subject }) => subject)).toEqual([`Now at Weekender: ${text}`]);
    site.clock.advance(10 * MINUTE);
    await site.look({ free: 9 * GB });
    site.clock.advance(10 * MINUTE);
    await site.look({ free: 60 * GB });
    expect(await site.textOf('disk')).toBeUndefined();
    // It fills up again on the same day: nobody is told at once twice.
    site.clock.advance(10 * MINUTE);
    await site.look({ free: 8 * GB });
    expect(await site.textOf('disk')).toContain('8.0 GB (8%) left');
    expect(site.urgent()).toHaveLength(1);
    site.clock.advance(DAY);
    await site.look({ free: 8 * GB });
    expect(site.urgent()).toHaveLength(2);
  });

  it('that will be full within a week is named with how long that takes', async () => {
    for (let hour = 0; hour <= 26; hour += 1) {
      await noteServer(site.deps, async () => ({ free: (50 - hour / 4) * GB, size: 100 * GB }));
      site.clock.advance(HOUR);
    }
    const readings = await site.deps.database.db.selectFrom('disk_readings').selectAll().execute();
    expect(readings.length).toBeGreaterThan(24);
    await site.look({ free: 42 * GB });
    expect(await site.textOf('disk')).toMatch(
      /^The disk will be full in about [67] days if it goes on like this; it has 42.0 GB \(42%\) left\.$/,
    );
    expect(site.urgent()).toEqual([]);
    expect(site.daily()).toHaveLength(1);
  });

  it('keeps its trend when the container is created anew, which has another name', async () => {
    await noteServer(site.deps);
    // As the first container of this data folder left it.
    await writeFile(join(site.deps.config.dataDir, 'server-name'), '3f2a91c0d1e2');
    for (let hour = 0; hour <= 26; hour += 1) {
      await noteServer(site.deps, async () => ({ free: (50 - hour / 4) * GB, size: 100 * GB }));
      site.clock.advance(HOUR);
    }
    expect(hostname()).not.toBe('3f2a91c0d1e2');
    await site.look({ free: 42 * GB });
    expect(await site.textOf('disk')).toMatch(/will be full in about [67] days/);
    const { db } = site.deps.database;
    const trends = await db.selectFrom('disk_readings').select('server').distinct().execute();
    expect(trends.map(({ server }) => server).toSorted()).toEqual(['3f2a91c0d1e2', hostname()]);
  });

  it('on which one upload arrived within a day says nothing about the week', async () => {
    await site.look({ free: 90 * GB });
    site.clock.advance(2 * HOUR);
    await site.look({ free: 50 * GB });
    expect(await site.textOf('disk')).toBeUndefined();
  });
});
