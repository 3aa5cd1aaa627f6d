/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { readAllTables } from '../../../testing/read-all-tables.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts';
import type { ChargeRequest, PaymentRequest } from '../payments.ts';
import type { BankName, CardName } from './ways-to-pay.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

const START = Date.UTC(2026, 10, 15, 12);
const EMAIL = 'thandi@example.com';
const at = (text: string) => Date.parse(text);

let database: TestDatabase;
let sandbox: Sandbox;
let now: number;
beforeEach(async () => {
  database = await createTestDatabase();
  now = START;
  const site = { origin: 'https://site.example' };
  sandbox = createSandbox({ database, clock: { now: () => now }, site });
});
afterEach(() => database.close());

const request = (change: Partial<PaymentRequest> = {}): PaymentRequest => ({
  reference: 'wk-1',
  providerId: null,
  email: EMAIL,
  amount: 7900,
  currency: 'ZAR',
  description: 'Premium for a month',
  savesCard: true,
  successUrl: 'https://site.example/subscription-success',
  cancelUrl: 'https://site.example/pricing',
  ...change,
});
const read = (reference = 'wk-1') => sandbox.payments.readPayment(reference, null);

/** Pays on the page, after confirming if the bank asks. */
const pay = async (card: CardName = 'success', change: Partial<PaymentRequest> = {}) => {
  const { reference } = request(change);
  await sandbox.payments.startPayment(request(change));
  const { state } = await sandbox.pay(reference, { card });
  if (state === 'confirm') await sandbox.pay(reference, { card, isConfirmed: true });
  return read(reference);
};
const payByBank = async (bank: BankName) => {
  await sandbox.payments.startPayment(request({ savesCard: false }));
  return sandbox.pay('wk-1', { bank });
};
const saveCard = async (card?: CardName, change?: Partial<PaymentRequest>) => {
  const { savedCard } = await pay(card, change);
  if (!savedCard) throw new Error('The card was not saved.');
  return savedCard;
};
const charge = (savedCard: ChargeRequest['savedCard'], reference = 'wk-r-1-1-1') =>
  sandbox.payments.charge({
    reference,
    providerId: null,
    amount: 7900,
    currency: 'ZAR',
    description: 'Premium for a month',
    savedCard,
    storeProviderId: () => Promise.resolve(),
  });

describe('a test card', () => {
  it.each([
    ['success', ['paid', 'paid', 'paid']],
    ['confirmation', ['paid', 'paid', 'paid']],
    ['always-confirms', ['paid', 'needs-member', 'needs-member']],
    ['pays-once', ['paid', 'failed', 'failed']],
    ['renews-then-fails', ['paid', 'paid', 'failed']],
  ] as const)('behaves as %s says now and at later charges', async (card, expected) => {
    const savedCard = await saveCard(card);
    const first = await read();
    const second = await charge(savedCard, 'wk-r-1-1-1');
    const third = await charge(savedCard, 'wk-r-1-2-1');
    expect([first, second, third].map(({ status }) => status)).toEqual(expected);
    expect(third.chargeId === null).toBe(third.status !== 'paid');
  });

  it.each([
    ['insufficient-funds', false, 'insufficient funds'],
    ['stolen', true, 'lost or stolen'],
  ] as const)('that is declined leaves the page open: %s', async (card, isHard, message) => {
    const state = await pay(card);
    expect(state).toMatchObject({ status: 'open', chargeId: null, failure: { isHard } });
    expect(state.failure?.message).toContain(message);
    await sandbox.pay('wk-1', { card: 'success' });
    expect(await read()).toMatchObject({ status: 'paid', failure: null });
  });

  it('for one payment is paid, but not saved', async () => {
    expect(await pay('one-payment')).toMatchObject({
      status: 'paid',
      card: { last4: '0259' },
      savedCard: null,
    });
  });

  it('belongs to one customer unless it is the shared one', async () => {
    const fingerprint = async (reference: string, card: CardName, email: string) =>
      (await saveCard(card, { reference, email })).fingerprint;
    const first = await fingerprint('wk-1', 'success', EMAIL);
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect(await fingerprint('wk-2', 'success', 'Thandi@example.com')).toBe(first);
    expect(await fingerprint('wk-3', 'success', 'sipho@example.com')).not.toBe(first);
    const shared = await fingerprint('wk-4', 'used', EMAIL);
    expect(shared).not.toBe(first);
    expect(await fingerprint('wk-5', 'used', 'sipho@example.com')).toBe(shared);
  });

  it('with a confirmation is paid after approval and not after a refusal', async () => {
    await sandbox.payments.startPayment(request());
    const card = 'confirmation';
    expect(await sandbox.pay('wk-1', { card })).toEqual({ state: 'confirm' });
    expect((await read()).status).toBe('open');
    expect(await sandbox.pay('wk-1', { card, isConfirmed: false })).toMatchObject({
      state: 'declined',
      message: 'The payment wasn’t confirmed with your bank.',
    });
    expect((await read()).status).toBe('open');
    expect(await sandbox.pay('wk-1', { card, isConfirmed: true })).toEqual({ state: 'paid' });
  });

  it('that is saved can be empty, filled again and reported as stolen', async () => {
    const savedCard = await saveCard();
    await sandbox.emptyAccount(savedCard.token);
    expect((await charge(savedCard, 'wk-r-1-1-1')).failure).toMatchObject({ isHard: false });
    await sandbox.fillAccount(savedCard.token);
    expect((await charge(savedCard, 'wk-r-1-1-2')).status).toBe('paid');
    await sandbox.changeCard(savedCard.token, 'stolen');
    expect((await charge(savedCard, 'wk-r-1-2-1')).failure).toMatchObject({ isHard: true });
  });
});

describe('a bank payment', () => {
  it.each([
    ['eft-paid', 'eft'],
    ['capitec-paid', 'capitec_pay'],
  ] as const)('is paid at once: %s', async (bank, channel) => {
    expect(await payByBank(bank)).toEqual({ state: 'paid' });
    expect(await read()).toMatchObject({ status: 'paid', channel, card: null, savedCard: null });
  });

  it.each([
    ['eft-later', { status: 'paid', at: START + HOUR, failure: null }],
    ['eft-fails', { status: 'failed', failure: { message: 'Your bank didn’t make the payment.' } }],
  ] as const)('is on its way for an hour: %s', async (bank, expected) => {
    expect(await payByBank(bank)).toEqual({ state: 'pending' });
    now = START + HOUR - 1;
    expect(await read()).toMatchObject({ status: 'pending', chargeId: null, channel: 'eft' });
    // The page is a day old by then, and the bank has decided long ago.
    now = START + 3 * DAY;
    expect(await read()).toMatchObject(expected);
    expect(await sandbox.payments.listChanges(START + HOUR)).toEqual(['wk-1']);
    expect(await sandbox.payments.listChanges(START + HOUR + 1)).toEqual([]);
  });

  it.each(['paid', 'failed'] as const)('waits until someone decides: %s', async (outcome) => {
    await payByBank('eft-waits');
    now += 10 * DAY;
    expect((await read()).status).toBe('pending');
    await sandbox.decide('wk-1', outcome);
    const decided = await read();
    expect(decided.status).toBe(outcome);
    await sandbox.decide('wk-1', outcome === 'paid' ? 'failed' : 'paid');
    expect(await read()).toEqual(decided);
  });

  it('can’t be used where a card is to be saved', async () => {
    await sandbox.payments.startPayment(request());
    await expect(sandbox.pay('wk-1', { bank: 'eft-paid' })).rejects.toMatchObject({
      kind: 'refused',
    });
    expect((await read()).status).toBe('open');
  });
});

describe('a payment', () => {
  it('is made once when two pages pay at the same time', async () => {
    await sandbox.payments.startPayment(request());
    await Promise.all([1, 2].map(() => sandbox.pay('wk-1', { card: 'success' })));
    const events = await sandbox.drainWebhooks();
    expect(events).toHaveLength(1);
  });

  it('can’t be made on a page that is closed or a day old', async () => {
    await sandbox.payments.startPayment(request());
    await sandbox.close('wk-1');
    expect(await sandbox.pay('wk-1', { card: 'success' })).toEqual({ state: 'failed' });
    await sandbox.payments.startPayment(request({ reference: 'wk-2' }));
    now = START + DAY;
    expect(await sandbox.pay('wk-2', { card: 'success' })).toEqual({ state: 'failed' });
    expect(await read('wk-2')).toMatchObject({
      status: 'failed',
      at: now,
      failure: { message: 'The payment page has expired.' },
    });
  });

  it('of less than R1 is refused, also as a check of a card or a charge', async () => {
    for (const amount of [0, 99])
      await expect(sandbox.payments.startPayment(request({ amount }))).rejects.toMatchObject({
        kind: 'refused',
      });
    await sandbox.payments.startPayment(request({ amount: sandbox.payments.cardCheckAmount }));
  });

  it('on a page never shares its reference with a charge', async () => {
    const savedCard = await saveCard();
    await charge(savedCard, 'wk-r-1-1-1');
    const taken = request({ reference: 'wk-r-1-1-1' });
    await expect(sandbox.payments.startPayment(taken)).rejects.toMatchObject({ kind: 'refused' });
    expect(await charge(savedCard, 'wk-1')).toMatchObject({ reference: 'wk-1', amount: 7900 });
    expect(await sandbox.drainWebhooks()).toHaveLength(2);
  });

  it('leaves neither token nor address readable in a table', async () => {
    await sandbox.payments.startPayment(request({ reference: 'wk-open' }));
    const savedCard = await saveCard();
    await charge(savedCard);
    const tables = JSON.stringify(await readAllTables(database));
    expect(tables).not.toContain(savedCard.token);
    expect(tables).not.toContain(EMAIL);
    await sandbox.payments.forgetCard(savedCard);
    now += DAY;
    await sandbox.payments.listChanges(0);
    const rows = await database.db.selectFrom('sandbox_payments').select('email').execute();
    expect(rows).toEqual([{ email: null }, { email: null }, { email: null }]);
    expect(await database.db.selectFrom('sandbox_cards').selectAll().execute()).toEqual([]);
  });

  it('is not taken with a token that someone made up', async () => {
    const { token, ...rest } = await saveCard();
    const forged = { ...rest, token: token.replace(/.$/, (c) => (c === '0' ? '1' : '0')) };
    expect(await charge(forged)).toMatchObject({ status: 'failed', failure: { isHard: true } });
    await sandbox.payments.forgetCard(forged);
    expect((await charge({ ...rest, token }, 'wk-r-1-1-2')).status).toBe('paid');
  });
});

describe('a dispute', () => {
  it('has 48 hours to be answered and is lost by silence', async () => {
    const { chargeId } = await pay();
    await sandbox.dispute(chargeId ?? '');
    const open = { state: 'open', respondBy: START + 2 * DAY };
    now = START + 2 * DAY - 1;
    expect((await read()).dispute).toEqual(open);
    now = START + 2 * DAY;
    expect((await read()).dispute).toEqual({ state: 'lost', respondBy: null });
    await sandbox.endDispute(chargeId ?? '', 'won');
    expect((await read()).dispute?.state).toBe('lost');
  });
});

describe('the books', () => {
  const all = { from: 0, to: at('2028-01-01T00:00:00Z') };

  it('have a fee for each payment and a payout for each week', async () => {
    const savedCard = await saveCard();
    const { fee, chargeId } = await read();
    // 2.9 % of R79 is R2.291.
    expect(fee).toBe(229 + 100);
    await sandbox.payments.refund({ chargeId: chargeId ?? '', amount: 1000, key: 'part' });
    const { listPayouts } = sandbox.payments;
    expect(await listPayouts(all)).toEqual([]);
    now = at('2026-12-15T12:00:00Z');
    await charge(savedCard);
    now = at('2026-12-21T00:00:00Z') - 1;
    expect(await listPayouts(all)).toEqual([
      {
        id: expect.any(String),
        at: at('2026-11-16T00:00:00Z'),
        amount: 7900 - 329 - 1000,
        fees: 329,
        currency: 'ZAR',
      },
    ]);
    now += 1;
    expect((await listPayouts(all)).map(({ amount }) => amount)).toEqual([6571, 7571]);
    expect(await listPayouts({ from: 0, to: at('2026-11-16T00:00:00Z') })).toEqual([]);
    expect(await listPayouts({ ...all, from: at('2026-11-16T00:00:01Z') })).toHaveLength(1);
  });

  it('have a card check that was refunded, a bank’s lower fee and a refund that failed', async () => {
    const check = await pay('success', { amount: 100 });
    expect(check.fee).toBe(3);
    await sandbox.payments.refund({ chargeId: check.chargeId ?? '', amount: 100, key: 'check' });
    await sandbox.payments.startPayment(request({ reference: 'wk-2', savesCard: false }));
    await sandbox.pay('wk-2', { bank: 'eft-paid' });
    const { chargeId, fee } = await read('wk-2');
    expect(fee).toBe(158);
    await sandbox.payments.refund({ chargeId: chargeId ?? '', amount: 7900, key: 'back' });
    await sandbox.failRefund(chargeId ?? '');
    now += 7 * DAY;
    expect(await sandbox.payments.listPayouts(all)).toMatchObject([
      { amount: 7900 - 158 - 3, fees: 161 },
    ]);
  });

  it('pay out nothing until a lost dispute is earned back', async () => {
    const savedCard = await saveCard();
    now += 7 * DAY;
    await sandbox.dispute('wk-1');
    await sandbox.endDispute('wk-1', 'lost');
    now += 7 * DAY;
    const before = await sandbox.payments.listPayouts(all);
    await charge(savedCard, 'wk-r-1-1-1');
    now += 7 * DAY;
    expect(await sandbox.payments.listPayouts(all)).toEqual(before);
    await charge(savedCard, 'wk-r-1-2-1');
    now += 7 * DAY;
    const payouts = await sandbox.payments.listPayouts(all);
    expect(payouts.map(({ amount }) => amount)).toEqual([7571, 7571 + 7571 - 7900]);
  });
});

it('sends each webhook event once, in order', async () => {
  const savedCard = await saveCard('pays-once');
  await charge(savedCard);
  await sandbox.payments.refund({ chargeId: (await read()).chargeId ?? '', amount: 1, key: 'k' });
  const { payments } = sandbox;
  const events = await Promise.all(
    (await sandbox.drainWebhooks()).map(({ headers, rawBody }) =>
      payments.parseWebhook(headers, rawBody),
    ),
  );
  expect(events).toEqual(['wk-1', 'wk-r-1-1-1', 'wk-1']);
  expect(await sandbox.drainWebhooks()).toEqual([]);
});

it('can shorten a month to seconds, and the days of a dispute with it', async () => {
  const site = { origin: 'https://site.example' };
  sandbox = createSandbox({ database, clock: { now: () => now }, site, monthMs: 3000 });
  const { calendar } = sandbox.payments;
  expect(calendar.addMonths(START, 2)).toBe(START + 6000);
  await pay();
  await sandbox.dispute('wk-1');
  expect((await read()).dispute).toEqual({ state: 'open', respondBy: START + 200 });
});
