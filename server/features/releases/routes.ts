import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { matchesEtag } from '../../http/send/send-file.ts';
import { readLook } from '../look/service.ts';
import { buildCalendar } from './calendar.ts';
import { listCalendarReleases } from './queries.ts';

/** The calendar of releases, as visitors may see them, where the site announces the next one. */
export function registerReleaseCalendar(app: FastifyInstance, deps: Deps) {
  app.get('/releases.ics', async (request, reply) => {
    const { database, clock, site } = deps;
    const now = clock.now();
    if (!(await readSettings(database.db, now)).isNextAnnounced) throw new AppError('not_found');
    const releases = await listCalendarReleases(database.db, now);
    const { siteName } = readLook(deps);
    const calendar = buildCalendar({ siteName, origin: site.origin, releases });
    const etag = `"${createHash('sha256').update(calendar).digest('base64url').slice(0, 22)}"`;
    reply.headers({ etag, 'cache-control': 'public, max-age=300' });
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'inline; filename="releases.ics"')
      .send(calendar);
  });
}
