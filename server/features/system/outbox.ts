import type { z } from 'zod';
import type { OutboxMessage } from '#contract/system.ts';
import type { Db } from '../../db/connect.ts';

const NEWEST = 100;

export async function listOutbox(db: Db): Promise<z.output<typeof OutboxMessage>[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'recipient', 'subject', 'body_text', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(NEWEST)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: row.body_text,
    sentAt: row.created_at,
  }));
}
