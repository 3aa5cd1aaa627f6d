import type { Db } from '../../db/connect.ts';
import { newId } from '../../ids.ts';
import { hashMessageKey, MailMessage, type Mail } from './mail.ts';

/** Keeps messages where the operator can read them, for as long as no SMTP server is set. */
export function createOutboxMail(db: Db, clock: { now: () => number }): Mail {
  return {
    async send(message) {
      const { to, subject, text, html, key } = MailMessage.parse(message);
      const now = clock.now();
      await db
        .insertInto('outbox')
        .values({
          id: key ? hashMessageKey(key) : newId(now),
          recipient: to,
          subject,
          body_text: text,
          body_html: html,
          created_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    close() {},
  };
}
