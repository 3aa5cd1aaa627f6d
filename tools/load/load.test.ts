import { expect, it } from 'vitest';
import { describeLoad, runLoad } from './run-load.ts';

/** Figures depend on the machine, so only what comes back is checked. */
it('listeners get nothing but what they asked for, or a 503 that says when to come back', async () => {
  const report = await runLoad({ listeners: 20, seconds: 1, rate: 60 });
  expect(report.unexpected).toEqual([]);
  for (const { kinds } of [report.below, report.above])
    for (const { statuses } of Object.values(kinds))
      expect(
        Object.keys(statuses).filter((status) => !/^(20[0146]|304|503)$/.test(status)),
      ).toEqual([]);
  const lines = describeLoad(report);
  const kinds = ['page', 'api', 'play', 'heartbeat', 'range', 'new connection', 'liveness'];
  const line =
    /^ {2}[\w ]+: p50 \d+ ms, p99 \d+ ms, max \d+ ms \((?:none|(?:\d+ × \d+(?:, )?)+)\)$/;
  for (const kind of kinds) {
    const found = lines.filter((text) => text.startsWith(`  ${kind}: `));
    expect([kind, found]).toEqual([
      kind,
      [expect.stringMatching(line), expect.stringMatching(line)],
    ]);
  }
  expect(lines[0]).toMatch(/^20 listeners, SQLite, on \d+ cores with \d+ GB/);
  for (const start of [
    'Below the limit: ',
    'Above the limit: ',
    '  memory: ',
    '  event loop: p50 ',
    '  60 requests a second, one of each listener every 0.3 s: p99 of the API ',
    '  as many requests as they can: ',
    '  nothing failed in another way than 503',
    '  kept in memory: ',
  ])
    expect(lines.some((text) => text.startsWith(start))).toBe(true);
}, 60_000);
