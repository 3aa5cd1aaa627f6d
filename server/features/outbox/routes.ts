import type { FastifyInstance } from 'fastify';
import type { PageQuery } from '#contract/paging.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { CursorId, CursorNumber, paginate } from '../../http/route/paginate.ts';
import { createRouter } from '../../http/route/route.ts';

/** Newest first. */
async function listOutbox(db: Db, page: PageQuery) {
  const emails = db
    .selectFrom('outbox')
    .select(['id', 'recipient', 'subject', 'body_text', 'body_html', 'created_at']);
  const { rows, nextCursor } = await paginate(emails, page, {
    orderBy: [
      ['created_at', CursorNumber],
      ['id', CursorId],
    ],
  });
  const items = rows.map((row) => ({
    id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: row.body_text,
    html: row.body_html,
    sentAt: row.created_at,
  }));
  return { items, nextCursor };
}

/** Only in demo mode: real e-mails are private. */
export function registerOutboxRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/outbox', async ({ query }) => {
    if (!deps.config.demo) throw new AppError('not_found');
    return listOutbox(deps.database.db, query);
  });
}
