/** @module-tag both-databases */
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#contract/admin/audit.ts';
import type { PaymentIssue } from '#contract/admin/payment-issues.ts';
import type { Week } from '#contract/admin/week.ts';
import type { Page } from '#contract/paging.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { findFullScans, recordPlan } from '../../testing/explain.ts';
import { findTraces } from '../../testing/read-all-tables.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, PASSWORD, type TestUser } from '../../testing/test-user.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { payingClient } from '../../testing/test-payments.ts';
import {
  closeIssue,
  listKeptCharges,
  listOpenIssues,
  openIssue,
  readIssues,
  reportLostDispute,
  type NewIssue,
} from './service.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let admin: TestUser;
beforeEach(async () => {
  const mail = { send: async () => undefined, close: () => undefined };
  test = await createTestApp({ mail });
  admin = await createAdmin(test);
});
afterEach(() => test.close());

const open = (issue: Partial<NewIssue> = {}) =>
  test.deps.database.db
    .transaction()
    .execute((tx) =>
      openIssue(
        tx,
        { key: 'dispute:a', kind: 'dispute', reason: 'R79 disputed.', ...issue },
        test.clock.now(),
      ),
    );
const close = (key = 'dispute:a') =>
  test.deps.database.db
    .transaction()
    .execute((tx) => closeIssue(tx, key, 'Won.', test.clock.now()));
const read = async (query = ''): Promise<PaymentIssue[]> => {
  const response = await admin.client.request({ url: `/api/admin/payment-issues${query}` });
  expect(response.statusCode).toBe(200);
  return response.json<Page<PaymentIssue>>().items;
};
const closeByHand = (id: string, payload: object = { note: 'Called the bank.' }) =>
  admin.client.request({ method: 'POST', url: `/api/admin/payment-issues/${id}/close`, payload });

itOnSqlite('opens an issue once per key, and shows who and what it is about', async () => {
  const member = await createUser(test, 'sipho');
  const facts = { provider: 'paystack', chargeId: 'c1', reference: null, currency: 'ZAR' };
  const dueAt = test.clock.now() + 2 * DAY;
  const issue = { ...facts, userId: member.user.id, amount: 7900, dueAt };
  await Promise.all([open(issue), open(issue), open(issue)]);
  expect(await read()).toEqual([
    {
      id: expect.any(String),
      kind: 'dispute',
      user: { id: member.user.id, name: 'sipho' },
      ...facts,
      amount: 7900,
      reason: 'R79 disputed.',
      dueAt,
      openedAt: test.clock.now(),
      closedAt: null,
      closedBy: null,
      note: null,
      keepsSubscription: false,
    },
  ]);
});

it('lists the next deadline first, then the newest', async () => {
  const now = test.clock.now();
  await open({ key: 'a', reason: 'a' });
  test.clock.advance(HOUR);
  await open({ key: 'b', reason: 'b', dueAt: now + 3 * DAY });
  await open({ key: 'c', reason: 'c', dueAt: now + 2 * DAY });
  test.clock.advance(HOUR);
  await open({ key: 'd', reason: 'd' });
  const issues = await listOpenIssues(test.deps.database.db);
  expect(issues.map(({ reason }) => reason)).toEqual(['c', 'b', 'd', 'a']);
  // The page of the administrator has the same order, however it is split.
  const pages: string[] = [];
  let cursor: string | null = null;
  do {
    const { items, nextCursor } = await readIssues(test.deps, {
      state: 'open',
      limit: 1,
      ...(cursor !== null && { cursor }),
    });
    pages.push(...items.map(({ reason }) => reason));
    cursor = nextCursor;
  } while (cursor !== null);
  expect(pages).toEqual(['c', 'b', 'd', 'a']);
});

it('closes with its cause, and opens again when that comes back', async () => {
  await open();
  await close();
  await close();
  expect(await read()).toEqual([]);
  expect(await read('?state=closed')).toMatchObject([{ note: 'Won.', closedBy: null }]);
  test.clock.advance(DAY);
  await open({ reason: 'R79 disputed again.' });
  expect(await read()).toMatchObject([
    { reason: 'R79 disputed again.', openedAt: test.clock.now(), note: null },
  ]);
  expect(await read('?state=closed')).toEqual([]);
});

itOnSqlite(
  'lets an administrator close one with a note, and stays closed until its cause has gone',
  async () => {
    await open();
    const [issue] = await read();
    expect((await closeByHand(issue?.id ?? '', { note: ' ' })).statusCode).toBe(400);
    expect((await closeByHand(issue?.id ?? '')).statusCode).toBe(204);
    expect((await closeByHand(issue?.id ?? '')).statusCode).toBe(404);
    expect((await closeByHand('nothing')).statusCode).toBe(404);
    const audit = await admin.client.request({ url: '/api/admin/audit' });
    expect(audit.json<Page<AuditEntry>>().items).toMatchObject([
      {
        action: 'payment-issue.closed',
        subject: { kind: 'payment', id: issue?.id },
        reason: 'Called the bank.',
      },
    ]);
    await open();
    expect(await read()).toEqual([]);
    expect(await read('?state=closed')).toMatchObject([
      { note: 'Called the bank.', closedBy: { id: admin.user.id, name: admin.user.username } },
    ]);
    await close();
    await open();
    expect(await read()).toHaveLength(1);
  },
);

it('a dispute that was lost is news only to those who never saw it open', async () => {
  const lose = () =>
    test.deps.database.db
      .transaction()
      .execute((tx) =>
        reportLostDispute(tx, { key: 'dispute:a', reason: 'Lost unseen.' }, test.clock.now()),
      );
  const kinds = async (query = '') => (await read(query)).map(({ kind }) => kind);
  const closed = () => read('?state=closed');
  await open();
  await lose();
  expect(await kinds()).toEqual([]);
  expect(await closed()).toMatchObject([
    { kind: 'dispute-lost', note: 'Lost.', closedBy: { id: 'the bank', name: null } },
  ]);
  await lose();
  expect(await kinds()).toEqual([]);
  // The bank looks at it again, and an administrator closes that.
  await open();
  const [again] = await read();
  expect(again?.kind).toBe('dispute');
  await closeByHand(again?.id ?? '', { note: 'Answered.' });
  await lose();
  await lose();
  expect(await closed()).toMatchObject([{ kind: 'dispute-lost', note: 'Answered.' }]);
  // Won after all, and then another one was lost unseen.
  await close();
  await lose();
  expect(await read()).toMatchObject([{ kind: 'dispute-lost', reason: 'Lost unseen.' }]);
  // What has a deadline counts more than what is over.
  await open();
  expect(await kinds()).toEqual(['dispute']);
});

itOnSqlite(
  'is in the archive of a member, and survives the account without personal data',
  async () => {
    const member = await createUser(test, 'sipho.dlamini');
    await open({ userId: member.user.id, chargeId: 'c1', amount: 7900 });
    test.clock.advance(HOUR);
    await open({ key: 'b', userId: member.user.id, reason: 'Another.' });
    const other = (await read()).find(({ reason }) => reason === 'Another.');
    await closeByHand(other?.id ?? '', { note: 'Asked them.' });
    const archive = await member.client.request({ url: '/api/me/export' });
    const rows = JSON.parse(strFromU8(unzipSync(archive.rawPayload)['billing.json']!)) as object[];
    expect(rows).toMatchObject([
      { kind: 'payment-issue', issue: 'dispute', amount: 7900, reason: 'R79 disputed.' },
      { kind: 'payment-issue', reason: 'Another.' },
    ]);
    const payload = { password: PASSWORD, confirmation: 'delete' };
    await member.client.request({ method: 'DELETE', url: '/api/me', payload });
    await test.worker.runDue();
    expect(await findTraces(test.deps.database, [member.user.id, 'sipho.dlamini'])).toEqual([]);
    expect(await read()).toMatchObject([{ user: null, chargeId: 'c1', amount: 7900 }]);
    expect(await read('?state=closed')).toMatchObject([{ user: null, note: null }]);
  },
);

itOnSqlite('doesn’t name a deleted administrator', async () => {
  await open();
  const [issue] = await read();
  const other = await createAdmin(test, 'lerato');
  const url = `/api/admin/payment-issues/${issue?.id}/close`;
  await other.client.request({ method: 'POST', url, payload: { note: 'Done.' } });
  const payload = { password: PASSWORD, confirmation: 'delete' };
  await other.client.request({ method: 'DELETE', url: '/api/me', payload });
  expect(await read('?state=closed')).toMatchObject([
    { note: 'Done.', closedBy: { id: 'a former administrator', name: null } },
  ]);
});

itOnSqlite('reads no more than a page, however many issues there were', async () => {
  const { database } = test.deps;
  const steps = await recordPlan(database, async () => {
    await readIssues(test.deps, { state: 'open' });
    await readIssues(test.deps, { state: 'closed' });
    await listOpenIssues(database.db);
  });
  expect(findFullScans(steps, 'payment_issues')).toEqual([]);
});

const keep = (id: string, keepsSubscription: boolean) =>
  admin.client.request({
    method: 'PUT',
    url: `/api/admin/payment-issues/${id}/keeps-subscription`,
    payload: { keepsSubscription },
  });

it('lets an administrator keep the subscription of a dispute while it is open', async () => {
  const member = await createUser(test, 'sipho');
  const kept = async () => [...(await listKeptCharges(test.deps.database.db, member.user.id))];
  await open({ userId: member.user.id, chargeId: 'c1' });
  const [issue] = await read();
  expect(await kept()).toEqual([]);
  expect((await keep(issue?.id ?? '', true)).statusCode).toBe(204);
  expect(await read()).toMatchObject([{ keepsSubscription: true }]);
  expect(await kept()).toEqual(['c1']);
  expect((await keep(issue?.id ?? '', false)).statusCode).toBe(204);
  expect(await kept()).toEqual([]);
  const audit = await admin.client.request({ url: '/api/admin/audit' });
  expect(
    audit
      .json<Page<AuditEntry>>()
      .items.map(({ action }) => action)
      .toSorted(),
  ).toEqual(['subscription.kept', 'subscription.not-kept']);
  await close();
  expect((await keep(issue?.id ?? '', true)).statusCode).toBe(404);
  await open({ key: 'b', kind: 'other-amount', userId: member.user.id });
  const [other] = await read();
  expect((await keep(other?.id ?? '', true)).statusCode).toBe(404);
});

describe('the mail about a dispute', () => {
  const sent: MailMessage[] = [];
  beforeEach(() => {
    sent.length = 0;
    test.deps.mail.send = async (message) => void sent.push(message);
  });

  it('goes to every administrator once, with amount, member, invoice and deadline', async () => {
    const other = await createAdmin(test, 'lerato');
    const member = await createUser(test, 'sipho');
    await payingClient(test, member).buy('monthly');
    await test.worker.runDue();
    sent.length = 0;
    const { charge_id: chargeId } = await test.deps.database.db
      .selectFrom('invoices')
      .select('charge_id')
      .executeTakeFirstOrThrow();
    const facts = { provider: 'sandbox', chargeId, amount: 79_00, currency: 'ZAR' };
    const dueAt = Date.parse('2026-11-18T12:00:00Z');
    for (const _ of [1, 2]) await open({ userId: member.user.id, ...facts, dueAt });
    await test.worker.runDue();
    expect(sent.map(({ to }) => to).toSorted()).toEqual(
      [admin.user.email, other.user.email].toSorted(),
    );
    const [mail] = sent;
    expect(mail?.subject).toBe('Dispute of R79 at Weekender: answer by Wed 18 Nov, 14:00');
    for (const text of ['Member: sipho', 'Invoice: 000001', chargeId, '/admin/payments'])
      expect(mail?.text).toContain(text);
  });

  it('says where Paystack wants the answer, and that silence loses', async () => {
    await open({ provider: 'paystack', amount: 79_00, currency: 'ZAR' });
    await test.worker.runDue();
    expect(sent[0]?.text).toContain('in Paystack’s dashboard, under Disputes');
    expect(sent[0]?.text).toContain('48 hours');
    expect(sent[0]?.text).toContain('Without an answer the dispute is lost');
  });

  it('isn’t sent for what can wait, nor for a dispute that is over', async () => {
    await open({ key: 'a', kind: 'other-amount' });
    await open();
    await close();
    await test.worker.runDue();
    expect(sent).toEqual([]);
  });
});

it('is on the dashboard by kind, the urgent ones first and with the next deadline', async () => {
  const readAttention = async () => {
    const { attention } = (await admin.client.request({ url: '/api/admin/week' })).json<Week>();
    return attention.filter(({ href }) => href === '/admin/payments').map(({ text }) => text);
  };
  const dueAt = Date.parse('2026-11-18T12:00:00Z');
  await open({ key: 'a', kind: 'unknown-charge' });
  await open({ key: 'b', dueAt });
  expect(await readAttention()).toEqual([
    '1 dispute to answer by Wed 18 Nov, 14:00.',
    '1 payment we can’t explain.',
  ]);
  await open({ key: 'c', dueAt: dueAt + DAY });
  await open({ key: 'd', kind: 'wrong-key', provider: 'paystack' });
  await open({ key: 'e', kind: 'other-amount' });
  await open({ key: 'f', kind: 'payment-unsettled' });
  expect(await readAttention()).toEqual([
    'Paystack refuses our key: nobody’s subscription changes until it’s right.',
    '2 disputes to answer, the first by Wed 18 Nov, 14:00.',
    '1 charge has had no answer for a day.',
    '1 payment wasn’t the agreed amount.',
    '1 payment we can’t explain.',
  ]);
});
