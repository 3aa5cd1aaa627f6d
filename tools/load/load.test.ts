import { describe, expect, it } from 'vitest';
import { findNginxPrograms, NO_NGINX } from '../testing/find-nginx.ts';
import { describeLoad, describeRelease } from './describe-load.ts';
import { runLoad } from './run-load.ts';
import { runRelease } from './run-release.ts';
import { MODES, type Mode } from './start-site.ts';

/** Figures depend on the machine, so only what comes back is checked. */
const ANSWERS = /^(20[0146]|304|503)$/;
const LINE = /^ {2}[\w ]+: p50 \d+ ms, p99 \d+ ms, max \d+ ms \((?:none|(?:\d+ × \d+(?:, )?)+)\)$/;
const LIMIT_MS = 240_000;

const modes = Object.entries(MODES) as [Mode, string][];

describe.each(modes)('%s: %s', (mode, name) => {
  it(
    'listeners get nothing but what they asked for, or a 503 that says when to come back',
    { timeout: LIMIT_MS },
    async ({ skip }) => {
      skip(mode === 'servers' && !findNginxPrograms(), NO_NGINX);
      const report = await runLoad({ mode, listeners: 20, seconds: 1, rate: 60 });
      expect(report.unexpected).toEqual([]);
      for (const { kinds } of [report.below, report.above])
        for (const { statuses } of Object.values(kinds))
          expect(Object.keys(statuses).filter((status) => !ANSWERS.test(status))).toEqual([]);
      const lines = describeLoad(report);
      const kinds = ['page', 'api', 'play', 'heartbeat', 'range', 'new connection', 'liveness'];
      for (const kind of kinds) {
        const found = lines.filter((text) => text.startsWith(`  ${kind}: `));
        expect([kind, found]).toEqual([
          kind,
          [expect.stringMatching(LINE), expect.stringMatching(LINE)],
        ]);
      }
      expect(lines[0]).toContain(`20 listeners, ${name}, on `);
      for (const start of [
        'Below the limit: ',
        'Above the limit: ',
        '  memory: ',
        '  processors: ',
        '  event loop: p50 ',
        '  60 requests a second, one of each listener every 0.3 s: p99 of the API ',
        '  as many requests as they can: ',
        '  nothing failed in another way than 503',
        '  kept in memory: ',
      ])
        expect(lines.some((text) => text.startsWith(start))).toBe(true);
    },
  );
});

it(
  'a release mail reaches everyone, and those whom it brings see the page and hear the mix',
  { timeout: LIMIT_MS },
  async () => {
    const report = await runRelease({ mode: 'sqlite', members: 40, seconds: 40, share: 1 });
    expect(report.unexpected).toEqual([]);
    expect(report.mails).toBe(40);
    const { people, servedAtOnce, waits, stillWaiting } = report;
    expect(servedAtOnce + waits.length + stillWaiting).toBe(people);
    const lines = describeRelease(report);
    for (const start of [
      'A release mail to 40 members, of whom 100 % open the mix, one server, SQLite, on ',
      '     0 s: 40 mails, ',
      '  40 mails, ',
      '  nothing failed in another way than 503',
    ])
      expect(lines.some((text) => text.startsWith(start))).toBe(true);
  },
);
