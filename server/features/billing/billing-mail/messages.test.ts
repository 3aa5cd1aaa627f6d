import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeSettings } from '../../../db/settings.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';
import {
  deliverAll,
  payingClient,
  runPaymentJobs,
  runSchedule,
} from '../../../testing/test-payments.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { openLink } from '../../../testing/test-email.ts';
import { createUser } from '../../../testing/test-user.ts';
import { DAY } from '#contract/rules/time.ts';
import { listSampleMessages } from './sample-messages.ts';
import { enqueueMessages } from './send-messages.ts';

let test: TestApp;
let me: ReturnType<typeof payingClient>;
let sent: MailMessage[];
beforeEach(async () => {
  sent = [];
  const mail = {
    send: async (message: MailMessage) => void sent.push(message),
    close: () => undefined,
  };
  test = await createTestApp({ mail });
  me = payingClient(test, await createUser(test));
});
afterEach(() => test.close());

/** The subjects of the messages sent since the last call. */
const takeSubjects = async () => {
  await test.worker.runDue();
  return sent.splice(0).map(({ subject }) => subject);
};
const pass = async (days: number) => {
  test.clock.advance(days * DAY);
  await runPaymentJobs(test);
  await runSchedule(test, 'announce-ends');
};

it('sends a new subscriber a welcome and a numbered receipt, as text and HTML', async () => {
  await me.buy('monthly');
  await test.worker.runDue();
  const receipt = sent.find(({ subject }) => subject.includes('receipt'));
  expect(receipt).toMatchObject({
    to: 'thandi@example.com',
    subject: 'Your receipt from Weekender: R79',
  });
  const [invoice] = await me.invoices();
  expect(receipt!.text).toContain('Invoice number: 000001');
  expect(receipt!.text).toContain('Covers: 15 November 2026 to 15 December 2026');
  for (const body of [receipt!.text, receipt!.html]) {
    expect(body).toContain('000001');
    expect(body).toContain('15 November 2026 to 15 December 2026');
    expect(body).toContain(`/subscription/invoices/${invoice!.id}`);
  }
  expect(receipt!.html).toMatch(/^<!doctype html>/);
  expect((await takeSubjects()).toSorted()).toEqual([
    'Welcome to Weekender Premium',
    'Your receipt from Weekender: R79',
  ]);
  // Repeated webhooks and checks send nothing twice.
  await deliverAll(test);
  await runPaymentJobs(test);
  expect(await takeSubjects()).toEqual([]);
});

it('keeps a receipt until the subscriber has verified the address, and then sends it once', async () => {
  const lerato = await createUser(test, 'lerato', { isEmailVerified: false });
  await payingClient(test, lerato).buy('monthly');
  await test.worker.runDue();
  const [first, ...others] = sent.splice(0);
  expect([first?.subject, others]).toEqual(['Confirm your e-mail address for Weekender', []]);
  const token = /\/confirm-email\/([\w-]+)/.exec(first?.text ?? '')?.[1] ?? '';
  await openLink(test, 'confirm', token);
  expect((await takeSubjects()).toSorted()).toEqual([
    'Welcome to Weekender Premium',
    'Your receipt from Weekender: R79',
  ]);
  await openLink(test, 'confirm', token);
  expect(await takeSubjects()).toEqual([]);
});

it('mails a new price, the end of a year and a failed refund although the address was never confirmed', async () => {
  const { user } = await createUser(test, 'lerato', { isEmailVerified: false });
  const messages = listSampleMessages(test.clock.now());
  await test.deps.database.db.transaction().execute((tx) =>
    enqueueMessages(
      tx,
      test.deps,
      user.id,
      messages.map((message) => ({ key: message.kind, message })),
    ),
  );
  await test.worker.runDue();
  const prefix = `${user.id}:`;
  const kinds = sent.flatMap(({ key }) => (key?.startsWith(prefix) ? key.split(prefix) : []));
  expect(kinds.filter(Boolean).toSorted()).toEqual([
    'came-over',
    'files-change',
    'price-change',
    'price-change-cancelled',
    'refund-failed',
    'year-ending',
  ]);
});

it('sends a VAT vendor’s subscriber the number of the tax invoice and the VAT in it', async () => {
  const seller = { sellerName: 'Me', sellerAddress: 'Street', sellerVatNumber: '4123456789' };
  const change = { ...seller, isVatCharged: true };
  await changeSettings(test.deps.database.db, change, test.clock.now());
  await me.buy('monthly');
  await test.worker.runDue();
  const receipt = sent.find(({ subject }) => subject.includes('receipt'));
  expect(receipt!.text).toContain('VAT at 15%: R10.30 (R68.70 without VAT)');
  expect(receipt!.text).toContain('Tax invoice number: 000001');
  for (const body of [receipt!.text, receipt!.html]) {
    expect(body).toContain('R10.30 (R68.70 without VAT)');
    expect(body).toContain('View or print your tax invoice');
  }
});

it('reminds annual subscribers once, a week before renewal, and monthly ones never', async () => {
  await me.buy('annual');
  await takeSubjects();
  await pass(357);
  // Twelve weeks before it, the law wants another one.
  expect(await takeSubjects()).toEqual(['Your year of Weekender Premium ends on 15 November 2027']);
  await pass(1);
  expect(await takeSubjects()).toEqual([
    'Your year of Weekender Premium renews on 15 November 2027',
  ]);
  await pass(3);
  expect(await takeSubjects()).toEqual([]);
  const other = payingClient(test, await createUser(test, 'lerato'));
  await other.buy('monthly');
  await takeSubjects();
  test.clock.advance(25 * DAY);
  await runPaymentJobs(test);
  expect((await takeSubjects()).filter((subject) => subject.includes('renews'))).toEqual([]);
});

it('reports a failed payment on day 0, 1 and 3 with a link to pay, and then the end', async () => {
  await me.buy('monthly', { card: 'pays-once' });
  await takeSubjects();
  await pass(30);
  await test.worker.runDue();
  const [failed] = sent;
  expect(failed?.subject).toBe('Your payment for Weekender didn’t go through');
  expect(failed?.text).toContain('insufficient funds');
  expect(failed?.text).toContain('/subscription');
  expect(failed?.text).toContain('R79 for your Premium subscription couldn’t be charged');
  expect(failed?.text).toContain('by 20 December 2026');
  await takeSubjects();
  await pass(1);
  expect(await takeSubjects()).toEqual(['Your payment for Weekender didn’t go through']);
  await pass(1);
  expect(await takeSubjects()).toEqual([]);
  await pass(1);
  expect(await takeSubjects()).toEqual([
    'Your Weekender Premium ends on 20 December 2026 unless you pay',
  ]);
  await pass(3);
  expect(await takeSubjects()).toEqual(['Your Weekender Premium has ended']);
  await pass(10);
  expect(await takeSubjects()).toEqual([]);
  expect(await me.charges()).toHaveLength(1);
});

it('confirms a cancellation once, with the end of access', async () => {
  await me.buy('monthly');
  await takeSubjects();
  await me.cancel();
  await deliverAll(test);
  const [message] = sent;
  expect(message?.subject).toBe('Your Weekender subscription is cancelled');
  expect(message?.text).toContain('15 December 2026');
  await takeSubjects();
  await me.resume();
  await me.cancel();
  expect(await takeSubjects()).toEqual([]);
});

it('tells a member whose subscription an administrator has ended', async () => {
  await me.buy('monthly');
  await takeSubjects();
  const admin = await createAdmin(test);
  const { id } = await me.call<{ id: string }>('GET', '/api/auth/me');
  const ended = await admin.client.request({
    method: 'POST',
    url: `/api/admin/subscribers/${id}/end`,
    payload: { isImmediate: false, reason: 'Asked for it by e-mail.' },
  });
  expect(ended.statusCode).toBe(200);
  expect(await takeSubjects()).toEqual(['Your Weekender subscription is cancelled']);
});

it('escapes a username that looks like markup', async () => {
  await test.deps.database.db.updateTable('users').set({ username: '<b>Thandi</b>' }).execute();
  await me.buy('monthly');
  await test.worker.runDue();
  for (const { html, text } of sent) {
    expect(html).toContain('&lt;b&gt;Thandi');
    expect(text).toContain('<b>Thandi</b>');
  }
});

it('sends no renewal reminder during a short trial', async () => {
  await changeSettings(test.deps.database.db, { trialDays: 5 }, test.clock.now());
  await me.buy('annual');
  await runPaymentJobs(test);
  expect((await takeSubjects()).filter((subject) => subject.includes('renews'))).toEqual([]);
});

it('reports a refund with its amount and its credit note, once', async () => {
  await me.buy('monthly');
  await takeSubjects();
  const [charge] = await me.charges();
  const { payments } = test.deps;
  await payments.refund({ chargeId: charge!.id, amount: 20_00, key: 'first' });
  await deliverAll(test);
  await runPaymentJobs(test);
  await test.worker.runDue();
  const [first] = sent.splice(0);
  expect(first?.subject).toBe('Your refund from Weekender: R20');
  expect(first?.text).toContain('Credit note number: CN-000001');
  expect(first?.text).not.toContain('cooling-off');
  await payments.refund({ chargeId: charge!.id, amount: 59_00, key: 'second' });
  await deliverAll(test);
  await runPaymentJobs(test);
  expect(await takeSubjects()).toContain('Your refund from Weekender: R59');
  await runPaymentJobs(test);
  expect(await takeSubjects()).toEqual([]);
});

it('announces the end of a trial once, three days ahead, with the amount', async () => {
  await changeSettings(test.deps.database.db, { trialDays: 10 }, test.clock.now());
  await me.buy('monthly');
  await runPaymentJobs(test);
  expect((await takeSubjects()).filter((subject) => subject.includes('free time'))).toEqual([]);
  await pass(7);
  await test.worker.runDue();
  const mails = sent.splice(0).filter(({ subject }) => subject.includes('free time'));
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Your free time with Weekender Premium ends on 25 November 2026',
  ]);
  expect(mails[0]?.text).toContain('R79');
  expect(mails[0]?.text).toContain('cancel on your subscription page before then');
  await pass(1);
  expect(await takeSubjects()).toEqual([]);
});

it('warns a month before the card expires, and again before a payment it can’t make', async () => {
  await me.buy('annual');
  await takeSubjects();
  await test.deps.database.db
    .updateTable('payment_methods')
    .set({ expiry_month: 10, expiry_year: 2027 })
    .execute();
  const takeWarnings = async () =>
    (await takeSubjects()).filter((subject) => subject.includes('Your card'));
  await pass(310);
  expect(await takeWarnings()).toEqual([]);
  await pass(15);
  expect(await takeWarnings()).toEqual(['Your card for Weekender expires soon']);
  await pass(20);
  expect(await takeWarnings()).toEqual([]);
  await pass(15);
  expect(await takeWarnings()).toEqual(['Your card for Weekender has expired']);
  await pass(1);
  expect(await takeWarnings()).toEqual([]);
});
