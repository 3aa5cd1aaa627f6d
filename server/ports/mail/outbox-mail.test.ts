import { expect, it } from 'vitest';
import { describeMail } from '../../testing/mail-contract.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { createOutboxMail } from './mail.ts';

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

it('stores a message once even if it is sent again after a crash', async () => {
  const { db, close } = await createTestDatabase();
  const mail = createOutboxMail(db, { now: () => 1 });
  const message = { to: 'a@example.com', subject: 'Receipt', text: 'x', html: '<p>x</p>' };
  for (const key of ['receipt:1', 'receipt:1', 'receipt:2']) await mail.send({ ...message, key });
  expect(await db.selectFrom('outbox').select('id').execute()).toHaveLength(2);
  await close();
});
