import type { Db } from '../../db/connect.ts';
import { newId } from '../../ids.ts';
import { MailMessage, type Mail } from './mail.ts';

/** Keeps messages where the operator can read them, for as long as no SMTP server is set. */
export function createOutboxMail(db: Db, clock: { now: () => number }): Mail {
  return {
    async send(message) {
      const { to, subject, text, html } = MailMessage.parse(message);
      const now = clock.now();
      await db
        .insertInto('outbox')
        .values({
          id: newId(now),
          recipient: to,
          subject,
          body_text: text,
          body_html: html,
          created_at: now,
        })
        .execute();
    },
    close() {},
  };
}
