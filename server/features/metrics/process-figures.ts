import { readdir } from 'node:fs/promises';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { listFigures } from '../../http/load/counters.ts';
import type { Deps } from '../../deps.ts';
import type { Family } from './exposition.ts';

const figure = (
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: Family['samples'],
): Family => ({ name, type, help, samples });

/** What features count. */
const listCounted = (): Family[] =>
  listFigures().map(({ name, help, type, labels, values }) => ({
    name,
    help,
    type,
    samples: [...values].map(([key, value]) => {
      const texts = key.split('\n');
      return {
        labels: Object.fromEntries(labels.map((label, index) => [label, texts[index] ?? ''])),
        value,
      };
    }),
  }));

const NANO = 1e9;

/** Memory, processor, open files and the event loop of this process. */
export function watchProcess() {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const startedAt = Date.now() / 1000 - process.uptime();

  async function read(): Promise<Family[]> {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const { active } = performance.eventLoopUtilization();
    const lag = { p50: delay.percentile(50), p99: delay.percentile(99), max: delay.max };
    delay.reset();
    // Only Linux lists them.
    const files = await readdir('/proc/self/fd').catch(() => []);
    return [
      figure('process_cpu_seconds_total', 'counter', 'Processor time.', [
        { value: (user + system) / 1e6 },
      ]),
      figure('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [{ value: rss }]),
      figure('process_start_time_seconds', 'gauge', 'When the process started.', [
        { value: startedAt },
      ]),
      figure(
        'process_open_fds',
        'gauge',
        'Open files and connections.',
        files.length > 0 ? [{ value: files.length }] : [],
      ),
      figure('nodejs_heap_used_bytes', 'gauge', 'Memory of JavaScript objects.', [
        { value: heapUsed },
      ]),
      figure('nodejs_eventloop_busy_seconds_total', 'counter', 'Time that the loop was busy.', [
        { value: active / 1000 },
      ]),
      figure(
        'nodejs_eventloop_delay_seconds',
        'gauge',
        'How late the event loop was since the last time these metrics were read.',
        Object.entries(lag).map(([quantile, value]) => ({
          labels: { at: quantile },
          value: Number.isFinite(value) ? Math.max(0, value / NANO) : 0,
        })),
      ),
    ];
  }

  return { read, stop: () => delay.disable() };
}

const listPool = ({ database }: Pick<Deps, 'database'>): Family[] => {
  const pool = database.pool?.();
  if (!pool) return [];
  const { open, idle, waiting } = pool;
  return [
    figure('weekender_database_connections', 'gauge', 'Connections to PostgreSQL.', [
      { labels: { state: 'used' }, value: open - idle },
      { labels: { state: 'idle' }, value: idle },
    ]),
    figure('weekender_database_waiting', 'gauge', 'Queries that wait for a connection.', [
      { value: waiting },
    ]),
  ];
};

/** Of this process alone. */
export const listOwnFigures = async (
  deps: Pick<Deps, 'database'>,
  watched: { read: () => Promise<Family[]> },
): Promise<Family[]> => [...(await watched.read()), ...listPool(deps), ...listCounted()];
