import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { readFreeBytes } from '../../ports/storage/disk-space.ts';
import { AppError } from '../../http/route/app-error.ts';
import { formatMetrics, METRICS_TYPE, type Family } from './exposition.ts';
import { listOwnFigures, watchProcess } from './process-figures.ts';
import { measureRequests } from './request-times.ts';

const hash = (text: string) => createHash('sha256').update(text).digest();

/** Of the whole site, so only one process reports them. */
async function listSiteFigures(deps: Deps): Promise<Family[]> {
  const { database } = deps;
  const jobs = await database.db
    .selectFrom('jobs')
    .select(['lane', 'state', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy(['lane', 'state'])
    .execute();
  const { readAlarmFigures } = await import('../attention/service.ts');
  const checks = await readAlarmFigures(deps);
  return [
    {
      name: 'weekender_jobs',
      help: 'Jobs in the queue.',
      type: 'gauge',
      samples: jobs.map(({ count, ...labels }) => ({ labels, value: count })),
    },
    {
      name: 'weekender_alarm',
      help: 'Whether something that the site looks at needs a person.',
      type: 'gauge',
      samples: checks.map(({ kind, isOn }) => ({ labels: { kind }, value: isOn ? 1 : 0 })),
    },
    {
      name: 'weekender_check_age_seconds',
      help: 'How long ago the site last looked.',
      type: 'gauge',
      samples: checks.flatMap(({ kind, ageMs }) =>
        ageMs === null ? [] : [{ labels: { kind }, value: ageMs / 1000 }],
      ),
    },
  ];
}

/** The disk of the files and, with SQLite, of the database. */
async function listDisk({ config }: Deps): Promise<Family[]> {
  const value = await readFreeBytes(config.dataDir);
  const help = 'Space left on the disk of the data folder.';
  return [{ name: 'weekender_disk_free_bytes', help, type: 'gauge', samples: [{ value }] }];
}

/**
 * Prometheus reads `/metrics` with `Authorization: Bearer` and METRICS_TOKEN. Without the setting, or
 * with another token, there is nothing at this address.
 */
export function registerMetrics(app: FastifyInstance, deps: Deps) {
  const { metricsToken } = deps.config;
  if (metricsToken === null) return;
  const expected = hash(`Bearer ${metricsToken}`);
  const listRequests = measureRequests(app);
  const watched = watchProcess();
  app.addHook('onClose', async () => watched.stop());

  app.get('/metrics', async (request, reply) => {
    const sent = hash(request.headers.authorization ?? '');
    if (!timingSafeEqual(sent, expected)) throw new AppError('not_found');
    const own = [...(await listOwnFigures(deps, watched)), ...listRequests()];
    // If the database or the disk is gone, the rest is needed most.
    const disk = await listDisk(deps).catch(() => []);
    const site = await listSiteFigures(deps).catch(() => []);
    return reply
      .type(METRICS_TYPE)
      .header('cache-control', 'no-store')
      .send(formatMetrics([...own, ...disk, ...site]));
  });
}
