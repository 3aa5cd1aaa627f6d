import { expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { buy, catchError, REFERENCE, saveCard, subject } from './subject.ts';
import { chargeAndKeep } from './saved-card-contract.ts';

const read = () => subject.payments.readPayment(REFERENCE, null);

async function buyCharge(): Promise<string> {
  const { chargeId } = await buy();
  if (chargeId === null) throw new Error('Nothing was charged.');
  return chargeId;
}

export function describeReversals() {
  it('refunds once per key, and never more than was paid', async () => {
    const chargeId = await buyCharge();
    const { refund } = subject.payments;
    for (const _ of [1, 2]) await refund({ chargeId, amount: 1000, key: 'refund-1' });
    expect(await read()).toMatchObject({ status: 'paid', amount: 7900, refunded: 1000 });
    await refund({ chargeId, amount: 6900, key: 'refund-2' });
    expect(await read()).toMatchObject({ status: 'paid', amount: 7900, refunded: 7900 });
    const error = await catchError(refund({ chargeId, amount: 1, key: 'refund-3' }));
    expect(error).toMatchObject({ name: 'PaymentsError', kind: 'refused' });
  });

  it('shows a refund that was made at the provider', async () => {
    const chargeId = await buyCharge();
    await subject.refundByHand(chargeId, 2000);
    expect(await read()).toMatchObject({ status: 'paid', refunded: 2000 });
  });

  it('does not count a refund that the bank sent back, and makes another only with another key', async () => {
    const chargeId = await buyCharge();
    const { refund } = subject.payments;
    await refund({ chargeId, amount: 7900, key: 'refund-1' });
    await subject.passTo(subject.now() + 3 * DAY);
    await subject.failRefund(chargeId);
    expect(await read()).toMatchObject({ status: 'paid', refunded: 0 });
    await refund({ chargeId, amount: 7900, key: 'refund-1' });
    expect(await read()).toMatchObject({ refunded: 0 });
    await refund({ chargeId, amount: 7900, key: 'refund-2' });
    expect(await read()).toMatchObject({ refunded: 7900 });
  });

  it.each([
    ['won', null],
    ['lost', { state: 'lost', respondBy: null }],
  ] as const)('shows a dispute until it is %s', async (outcome, expected) => {
    const chargeId = await buyCharge();
    await subject.dispute(chargeId);
    const open = await read();
    expect(open).toMatchObject({ status: 'paid', dispute: { state: 'open' } });
    expect(open.dispute?.respondBy ?? subject.now() + 1).toBeGreaterThan(subject.now());
    await subject.decideDispute(chargeId, outcome);
    // What a lost dispute took is no refund.
    expect(await read()).toMatchObject({ status: 'paid', refunded: 0, dispute: expected });
  });
}

export function describeChanges() {
  it('are found without a single webhook, and nothing of another product', async () => {
    const { listChanges } = subject.payments;
    const paid = await buy({ reference: 'wk-old' });
    const disputed = await buy({ reference: 'wk-old-2' });
    await buy({ reference: 'wk-old-3' });
    await subject.passTo(subject.now() + 60 * DAY);
    const since = subject.now() - DAY;
    expect(await listChanges(since)).toEqual([]);

    const savedCard = await saveCard({ reference: 'wk-page' });
    await chargeAndKeep(savedCard, { reference: 'wk-r-1-1-1' });
    await subject.setBankAnswer(savedCard.token, 'declines');
    await chargeAndKeep(savedCard, { reference: 'wk-r-1-2-1' });
    await subject.refundByHand(paid.chargeId ?? '', 100);
    await subject.dispute(disputed.chargeId ?? '');
    await subject.sellOther?.();
    const found = await listChanges(since);
    expect(found.toSorted()).toEqual(['wk-old', 'wk-old-2', 'wk-page', 'wk-r-1-1-1', 'wk-r-1-2-1']);
  });

  it('include a refund that failed and a dispute that was decided days after it began', async () => {
    const one = await buy({ reference: 'wk-one' });
    const two = await buy({ reference: 'wk-two' });
    await subject.payments.refund({ chargeId: one.chargeId ?? '', amount: 7900, key: 'k' });
    await subject.dispute(two.chargeId ?? '');
    await subject.passTo(subject.now() + 9 * DAY);
    const since = subject.now() - DAY;
    expect(await subject.payments.listChanges(since)).toEqual([]);
    await subject.failRefund(one.chargeId ?? '');
    await subject.decideDispute(two.chargeId ?? '', 'lost');
    const found = await subject.payments.listChanges(since);
    expect(found.toSorted()).toEqual(['wk-one', 'wk-two']);
  });

  it('are found after more than a month without looking', async () => {
    await buy({ reference: 'wk-while-away' });
    const since = subject.now() - DAY;
    await subject.passTo(subject.now() + 45 * DAY);
    expect(await subject.payments.listChanges(since)).toContain('wk-while-away');
  });
}
