import { describeMail } from '../../testing/mail-contract.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { createOutboxMail } from './outbox-mail.ts';

describeMail('the outbox', async () => {
  const { db, close } = await createTestDatabase();
  let time = 0;
  const mail = createOutboxMail(db, { now: () => (time += 1) });
  return {
    mail,
    close,
    received: async () => {
      const rows = await db.selectFrom('outbox').selectAll().orderBy('created_at').execute();
      return rows.map((row) => ({
        to: row.recipient,
        subject: row.subject,
        text: row.body_text,
        html: row.body_html,
      }));
    },
  };
});
