import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, type PageQuery } from '#contract/paging.ts';
import type { OutboxMessage } from '#contract/system.ts';
import type { Db } from '../../db/connect.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';

const Position = z.tuple([z.int(), z.string().regex(/^[\w-]{1,64}$/)]);

type Outbox = { items: z.output<typeof OutboxMessage>[]; nextCursor: string | null };

/** Newest first. */
export async function listOutbox(
  db: Db,
  { cursor, limit = DEFAULT_PAGE_SIZE }: PageQuery,
): Promise<Outbox> {
  const after = cursor ? decodeCursor(Position, cursor) : null;
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'recipient', 'subject', 'body_text', 'created_at'])
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '<', tuple(after?.[0] ?? 0, after?.[1] ?? '')),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map((row) => ({
      id: row.id,
      to: row.recipient,
      subject: row.subject,
      text: row.body_text,
      sentAt: row.created_at,
    })),
    nextCursor: last ? encodeCursor([last.created_at, last.id]) : null,
  };
}
