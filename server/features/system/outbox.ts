import type { z } from 'zod';
import type { PageQuery } from '#contract/paging.ts';
import type { OutboxMessage } from '#contract/system.ts';
import type { Db } from '../../db/connect.ts';
import { CursorId, CursorNumber, paginate } from '../../http/paginate.ts';

type Outbox = { items: z.output<typeof OutboxMessage>[]; nextCursor: string | null };

/** Newest first. */
export async function listOutbox(db: Db, page: PageQuery): Promise<Outbox> {
  const messages = db
    .selectFrom('outbox')
    .select(['id', 'recipient', 'subject', 'body_text', 'created_at']);
  const { rows, nextCursor } = await paginate(messages, page, {
    orderBy: [
      ['created_at', CursorNumber],
      ['id', CursorId],
    ],
  });
  return {
    items: rows.map((row) => ({
      id: row.id,
      to: row.recipient,
      subject: row.subject,
      text: row.body_text,
      sentAt: row.created_at,
    })),
    nextCursor,
  };
}
