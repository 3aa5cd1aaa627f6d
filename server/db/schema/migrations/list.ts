import type { Migration } from './migration.ts';

/**
 * In the order they run. A new one goes to the end, and is loaded like the first: most starts have
 * nothing to migrate.
 */
export const migrations: readonly Migration[] = [
  {
    name: '0001-baseline',
    up: async (tx, dialect) => (await import('../baseline.ts')).baseline.up(tx, dialect),
  },
  {
    name: '0002-mail-pace',
    up: async (tx, dialect) => (await import('./0002-mail-pace.ts')).mailPace.up(tx, dialect),
  },
  {
    name: '0003-reason',
    up: async (tx, dialect) => (await import('./0003-reason.ts')).reason.up(tx, dialect),
  },
  {
    name: '0004-departures',
    up: async (tx, dialect) => (await import('./0004-departures.ts')).departures.up(tx, dialect),
  },
  {
    name: '0005-refused-addresses',
    up: async (tx, dialect) =>
      (await import('./0005-refused-addresses.ts')).refusedAddresses.up(tx, dialect),
  },
  {
    name: '0006-helpers',
    up: async (tx, dialect) => (await import('./0006-helpers.ts')).helpers.up(tx, dialect),
  },
  {
    name: '0007-mail-reports',
    up: async (tx, dialect) => (await import('./0007-mail-reports.ts')).mailReports.up(tx, dialect),
  },
  {
    name: '0008-letters',
    up: async (tx, dialect) => (await import('./0008-letters.ts')).letters.up(tx, dialect),
  },
  {
    name: '0009-letter-refusals',
    up: async (tx, dialect) =>
      (await import('./0009-letter-refusals.ts')).letterRefusals.up(tx, dialect),
  },
  {
    name: '0011-clips',
    up: async (tx, dialect) => (await import('./0011-clips.ts')).clips.up(tx, dialect),
  },
  {
    name: '0013-shared-years',
    up: async (tx, dialect) => (await import('./0013-shared-years.ts')).sharedYears.up(tx, dialect),
  },
  {
    name: '0015-moments',
    up: async (tx, dialect) => (await import('./0015-moments.ts')).moments.up(tx, dialect),
  },
  {
    name: '0016-recordings',
    up: async (tx, dialect) => (await import('./0016-recordings.ts')).recordings.up(tx, dialect),
  },
  {
    name: '0017-usage',
    up: async (tx, dialect) => (await import('./0017-usage.ts')).usage.up(tx, dialect),
  },
  {
    name: '0018-usage-reports',
    up: async (tx, dialect) =>
      (await import('./0018-usage-reports.ts')).usageReports.up(tx, dialect),
  },
  {
    name: '0019-streaming-only',
    up: async (tx, dialect) =>
      (await import('./0019-streaming-only.ts')).streamingOnly.up(tx, dialect),
  },
  {
    name: '0020-take-downs',
    up: async (tx, dialect) => (await import('./0020-take-downs.ts')).takeDowns.up(tx, dialect),
  },
  {
    name: '0021-file-change-order',
    up: async (tx, dialect) =>
      (await import('./0021-file-change-order.ts')).fileChangeOrder.up(tx, dialect),
  },
  {
    name: '0022-night',
    up: async (tx, dialect) => (await import('./0022-night.ts')).night.up(tx, dialect),
  },
];
