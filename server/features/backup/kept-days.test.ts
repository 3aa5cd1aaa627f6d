import fc from 'fast-check';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { findKept } from './kept-days.ts';
import { checkBackup, listDays, openDay } from './manifest.ts';
import { openRepository, prune, storeObject, writeDay } from './repository.ts';

const START = Date.UTC(2025, 9, 17, 1, 30);
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Every night one is added, and what isn't kept is removed. */
function keepNightly(times: readonly number[]): number[] {
  let days: { name: string; at: number }[] = [];
  for (const [index, at] of times.entries()) {
    days.push({ name: String(index), at });
    const kept = findKept(days);
    days = days.filter(({ name }) => kept.has(name));
  }
  return days.map(({ at }) => at);
}

it('after 400 nights has the last week, five Sundays and the last day of twelve months', () => {
  const nights = Array.from({ length: 400 }, (_, index) => START + index * DAY);
  expect(keepNightly(nights).map(dateOf)).toEqual([
    '2025-12-31',
    '2026-01-31',
    '2026-02-28',
    '2026-03-31',
    '2026-04-30',
    '2026-05-31',
    '2026-06-30',
    '2026-07-31',
    '2026-08-31',
    '2026-09-30',
    '2026-10-25',
    '2026-10-31',
    '2026-11-01',
    '2026-11-08',
    '2026-11-14',
    '2026-11-15',
    '2026-11-16',
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
    '2026-11-20',
  ]);
});

it('keeps all of two days, such as the one before an upgrade', () => {
  const times = [0, 1, 24, 30, 31, 48, 50].map((hours) => START + hours * HOUR);
  expect(keepNightly(times)).toEqual(times.slice(1));
});

it('removes no more after a pause, or with a fast clock, than after any other night', () => {
  const before = Array.from({ length: 60 }, (_, index) => START + index * DAY);
  const kept = keepNightly(before);
  const later = (before.at(-1) ?? 0) + 300 * DAY;
  // The oldest day and the oldest week make room for each.
  for (const extra of [[later], [later, (before.at(-1) ?? 0) + DAY]]) {
    const after = keepNightly([...before, ...extra]);
    expect(kept.filter((at) => !after.includes(at)).length).toBeLessThanOrEqual(extra.length * 2);
    expect(after).toEqual(expect.arrayContaining(extra));
  }
});

it('keeps the same whether it is applied every night or at the end, and always the newest', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 20 * 24 }), { minLength: 1, maxLength: 120 });
  fc.assert(
    fc.property(gaps, (hours) => {
      let at = START;
      const times = hours.map((gap) => (at += gap * HOUR));
      const all = times.map((time, index) => ({ name: String(index), at: time }));
      const atTheEnd = findKept(all);
      const expected = all.filter(({ name }) => atTheEnd.has(name)).map((day) => day.at);
      expect(keepNightly(times)).toEqual(expected);
      expect(expected.at(-1)).toBe(times.at(-1));
    }),
  );
});

it('removes from the folder what no backup needs any more, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'test-prune-'));
  try {
    await openRepository(folder, () => undefined);
    const store = (text: string) => storeObject(folder, Readable.from([Buffer.from(text)]));
    const times: number[] = [];
    for (let night = 0; night < 50; night += 1) {
      times.push(START + night * 8 * DAY);
      // One that all have, one per month, and one of its own.
      const files = {
        'masters/always.flac': await store('always'),
        'masters/month.flac': await store(dateOf(times[night] ?? 0).slice(0, 7)),
        'masters/night.flac': await store(`night ${night}`),
      };
      const rest = { format: 2 as const, migrations: [], tables: {}, files };
      await writeDay(folder, { ...rest, createdAt: times[night] ?? 0 });
      await prune(folder);
    }
    const days = await listDays(folder);
    const kept: number[] = [];
    for (const name of days) {
      const backup = await openDay(folder, name);
      await checkBackup(backup);
      kept.push(backup.manifest.createdAt);
    }
    expect(kept).toEqual(keepNightly(times));
    const stored = await readdir(join(folder, 'files'), { recursive: true });
    const months = new Set(kept.map((at) => dateOf(at).slice(0, 7)));
    expect(stored.filter((name) => name.length > 60)).toHaveLength(1 + months.size + kept.length);

    // With a manifest that nobody can read, nobody knows what can go.
    const damaged = join(folder, 'days', days[0] ?? '');
    await writeFile(damaged, (await readFile(damaged, 'utf8')).slice(0, -5));
    await store('not needed');
    expect(await prune(folder)).toMatchObject({ unreadable: [days[0]] });
    expect(await readdir(join(folder, 'files'), { recursive: true })).toHaveLength(
      stored.length + 2,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
