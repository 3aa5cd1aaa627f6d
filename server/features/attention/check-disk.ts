import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import type { Check, Problem } from './check.ts';
import { FRESH_MS } from './server-readings.ts';

const LOW_SHARE = 0.1;
const SOON_MS = 7 * DAY;
/** A shorter time says how large the last upload was, not how fast the disk fills. */
const MIN_TREND_MS = DAY;

type Reading = { at: number; free: number };

/** Bytes per millisecond that the disk loses, by least squares; negative if it gains. */
function findLoss(readings: readonly Reading[]): number {
  const count = readings.length;
  const mean = (of: (reading: Reading) => number) =>
    readings.reduce((sum, reading) => sum + of(reading), 0) / count;
  const [atMean, freeMean] = [mean(({ at }) => at), mean(({ free }) => free)];
  const covariance = mean(({ at, free }) => (at - atMean) * (free - freeMean));
  const variance = mean(({ at }) => (at - atMean) ** 2);
  return variance === 0 ? 0 : -covariance / variance;
}

/** How long until the disk is full if it goes on like this; null if nothing says so. */
function findTimeLeft(readings: readonly Reading[], free: number): number | null {
  const [first, last] = [readings[0], readings.at(-1)];
  if (!first || !last || last.at - first.at < MIN_TREND_MS) return null;
  const loss = findLoss(readings);
  return loss > 0 ? free / loss : null;
}

const GIGABYTE = 1024 ** 3;
const formatBytes = (bytes: number): string =>
  bytes >= GIGABYTE ? `${(bytes / GIGABYTE).toFixed(1)} GB` : `${Math.round(bytes / 1024 ** 2)} MB`;
const formatShare = (share: number): string =>
  share < 0.01 ? 'less than 1%' : `${Math.floor(share * 100)}%`;

type Server = { server: string; free_bytes: number; size_bytes: number };

async function describeDisk(
  { database, clock }: Deps,
  { server, free_bytes: free, size_bytes: size }: Server,
  name: string,
): Promise<Problem | null> {
  const now = clock.now();
  const rows = await database.db
    .selectFrom('disk_readings')
    .select(['hour', 'free_bytes'])
    .where('server', '=', server)
    .where('hour', '>', now - SOON_MS - HOUR)
    .orderBy('hour')
    .execute();
  const left = findTimeLeft(
    rows.map((row) => ({ at: row.hour, free: row.free_bytes })),
    free,
  );
  const room = `${formatBytes(free)} (${formatShare(free / size)}) left`;
  if (free / size < LOW_SHARE)
    return { text: `${name} has ${room}. When it is full, nothing can be saved.`, isUrgent: true };
  if (left === null || left > SOON_MS) return null;
  const days = Math.floor(left / DAY);
  const when = days < 1 ? 'within a day' : `in about ${days === 1 ? 'a day' : `${days} days`}`;
  return { text: `${name} will be full ${when} if it goes on like this; it has ${room}.` };
}

/** The disk of every server: little room, or not for long. */
export const checkDisk: Check = {
  kind: 'disk',
  everyMs: 10 * MINUTE,
  look: async (deps) => {
    const { database, clock } = deps;
    const servers = await database.db
      .selectFrom('server_readings')
      .select(['server', 'free_bytes', 'size_bytes'])
      .where('read_at', '>', clock.now() - FRESH_MS)
      .orderBy('server')
      .execute();
    if (servers.length === 0) throw new Error('No server has read how full its disk is.');
    const problems: Problem[] = [];
    for (const server of servers) {
      const name = servers.length === 1 ? 'The disk' : `The disk of ${server.server}`;
      const problem = await describeDisk(deps, server, name);
      if (problem) problems.push(problem);
    }
    if (problems.length === 0) return null;
    return {
      text: problems.map(({ text }) => text).join(' '),
      count: problems.length,
      isUrgent: problems.some(({ isUrgent }) => isUrgent),
    };
  },
};
