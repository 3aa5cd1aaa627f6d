import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildInvoice, buildUser } from '../../../db/build-rows.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { startSmtpServer, type TestSmtp } from '../../../testing/smtp-server.ts';
import { startChild, type TestChild } from '../../../testing/start-child.ts';
import type { TestDatabase } from '../../../testing/test-database.ts';
import { createSmtpMail, type Mail } from '../../../ports/mail/mail.ts';
import { MINUTE } from '#contract/rules/time.ts';
import { enqueueMessages } from './send-messages.ts';

const AT = Date.UTC(2026, 10, 15);

let smtp: TestSmtp;
let test: TestApp;
/** What the mail server does with a message that has arrived. */
let onReceived: () => Promise<boolean> | boolean;
let refusals: number;
beforeEach(async () => {
  onReceived = () => true;
  refusals = 0;
  smtp = await startSmtpServer({
    onReceived: () => onReceived(),
    onRcptTo: (_address, _session, done) => {
      refusals -= 1;
      done(refusals >= 0 ? Object.assign(new Error('busy'), { responseCode: 450 }) : null);
    },
  });
  const mail: Mail = createSmtpMail({ url: smtp.url, from: 'Music <music@example.com>' });
  test = await createTestApp({ mail });
  await addReceipt();
});
afterEach(async () => {
  await test.close();
  await smtp.close();
});

async function addReceipt() {
  const user = buildUser({ id: 'thandi', password_hash: 'x', created_at: AT });
  await test.deps.database.db
    .insertInto('users')
    .values({ ...user, email_verified_at: AT })
    .execute();
  const charge = { provider: 'sandbox', charge_id: 'c1', amount: 7900, currency: 'ZAR' };
  const period = { plan: 'monthly' as const, at: AT, from_at: AT, to_at: AT };
  const invoice = buildInvoice({ id: 'i1', number: 1, user_id: 'thandi', ...charge, ...period });
  await test.deps.database.db.insertInto('invoices').values(invoice).execute();
  const planned = [{ key: 'receipt:sandbox:c1', message: { kind: 'receipt' as const, invoice } }];
  await test.deps.database.db
    .transaction()
    .execute((tx) => enqueueMessages(tx, test.deps, 'thandi', planned));
}

const readJobs = () => test.deps.database.db.selectFrom('jobs').selectAll().execute();
const readMessage = () =>
  test.deps.database.db
    .selectFrom('sent_messages')
    .select(['sending_at', 'sent_at'])
    .executeTakeFirstOrThrow();
const startSender = async (hangsBeforeEnd: boolean): Promise<TestChild> => {
  const { settings } = test.deps.database as TestDatabase;
  const child = await startChild({
    settings,
    now: test.clock.now(),
    do: { kind: 'mail', smtpUrl: smtp.url, hangsBeforeEnd },
  });
  child.go();
  return child;
};
/** Another worker takes over once the lease has ended. */
const takeOver = async () => {
  test.clock.advance(2 * MINUTE);
  await test.worker.runDue();
};

it('a receipt is not sent again by itself when the server is killed before it notes that it was sent', async () => {
  const arrived = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<boolean>();
  onReceived = () => {
    arrived.resolve();
    return killed.promise;
  };
  const child = await startSender(false);
  await arrived.promise;
  await child.kill();
  killed.resolve(false);
  onReceived = () => true;

  await takeOver();
  expect(await smtp.received()).toHaveLength(1);
  const [job] = await readJobs();
  expect(job).toMatchObject({ state: 'dead', interruptions: 1 });
  expect(job?.last_error).toContain('Nobody knows whether this e-mail arrived');
  expect(await readMessage()).toMatchObject({ sent_at: null });

  const { client } = await createAdmin(test);
  const answer = await client.request({ method: 'POST', url: `/api/admin/jobs/${job?.id}/retry` });
  expect(answer.statusCode).toBe(204);
  await test.worker.runDue();
  const [first, second, ...more] = (await smtp.received()).filter(({ to }) =>
    to?.some(({ address }) => address === 'thandi@example.com'),
  );
  expect(second?.messageId).toBe(first?.messageId);
  expect(more).toEqual([]);
  expect((await readMessage()).sent_at).not.toBeNull();
});

it('a receipt is sent once when the server is killed just before the last line', async () => {
  const child = await startSender(true);
  expect(await child.readMessage()).toEqual({ kind: 'hanging' });
  await child.kill();
  expect(await smtp.received()).toEqual([]);
  await takeOver();
  await takeOver();
  expect(await smtp.received()).toHaveLength(1);
  expect(await readJobs()).toEqual([]);
});

it('a mail server that ends the connection without an answer leaves the decision to an administrator', async () => {
  onReceived = () => false;
  await takeOver();
  await takeOver();
  expect(await smtp.received()).toHaveLength(1);
  expect(await readJobs()).toMatchObject([{ state: 'dead', attempts: 1 }]);
});

it('a receipt that the mail server refuses is tried again', async () => {
  refusals = 1;
  await test.worker.runDue();
  expect(await readJobs()).toMatchObject([{ state: 'ready', attempts: 1 }]);
  expect(await readMessage()).toEqual({ sending_at: null, sent_at: null });
  await takeOver();
  expect(await smtp.received()).toHaveLength(1);
  expect(await readJobs()).toEqual([]);
});
