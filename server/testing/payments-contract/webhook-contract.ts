import { expect, it } from 'vitest';
import { ForgedWebhook } from '../../ports/payments/payments.ts';
import { catchError, month, subject, subscribe, type Delivery } from './subject.ts';

export function describeWebhooks() {
  const parse = ({ headers, rawBody }: Delivery) => subject.payments.parseWebhook(headers, rawBody);

  it('name the checkout, its subscription or its customer', async () => {
    const { providerSubscriptionId, customerId } = await subscribe();
    const events = await Promise.all((await subject.drainWebhooks()).map(parse));
    const subjects = events.flatMap((event) => event?.subjects ?? []);
    expect(subjects.map(({ reference }) => reference)).toContain('ref-0123456789');
    for (const found of subjects)
      expect([found.reference, found.providerSubscriptionId, found.customerId]).not.toEqual([
        null,
        null,
        null,
      ]);
    expect(subjects.some((found) => found.providerSubscriptionId === providerSubscriptionId)).toBe(
      true,
    );
    expect(subjects.some((found) => found.customerId === customerId)).toBe(true);
    const ids = events.map((event) => event?.eventId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('report every change of a subscription', async () => {
    const { providerSubscriptionId, customerId, checkout } = await subscribe();
    const steps: [string, () => Promise<unknown>][] = [
      [
        'a refund',
        () =>
          subject.payments.refund({ chargeId: checkout.charge?.id ?? '', amount: 100, key: 'k' }),
      ],
      ['a dispute', () => subject.dispute(checkout.charge?.id ?? '')],
      ['a renewal', () => subject.passTo(month(subject.now()) + 1000)],
      ['a cancellation', () => subject.payments.cancelAtPeriodEnd(providerSubscriptionId)],
    ];
    for (const [what, act] of steps) {
      await subject.drainWebhooks();
      await act();
      const events = await Promise.all((await subject.drainWebhooks()).map(parse));
      const isFound = events
        .flatMap((event) => event?.subjects ?? [])
        .some(
          (found) =>
            found.providerSubscriptionId === providerSubscriptionId ||
            found.customerId === customerId ||
            found.chargeId === checkout.charge?.id,
        );
      expect([what, isFound]).toEqual([what, true]);
    }
  });

  it('have the same id when they arrive twice', async () => {
    await subscribe();
    const [delivery] = await subject.drainWebhooks();
    if (!delivery) throw new Error('No webhook was sent.');
    expect(await parse(delivery)).toEqual(await parse(delivery));
  });

  it('are refused when anything about them is forged', async () => {
    await subscribe();
    const [delivery] = await subject.drainWebhooks();
    if (!delivery) throw new Error('No webhook was sent.');
    const { headers, rawBody } = delivery;
    const name = Object.keys(headers).find((header) => header.includes('signature')) ?? '';
    const signature = headers[name] ?? '';
    const touched = Buffer.from(rawBody);
    touched[touched.length - 2] = (touched[touched.length - 2] ?? 0) ^ 1;
    const forged: Delivery[] = [
      { headers: { ...headers, [name]: '' }, rawBody },
      { headers: { ...headers, [name]: signature.slice(0, -2) }, rawBody },
      { headers: { ...headers, [name]: `${signature}00` }, rawBody },
      {
        headers: { ...headers, [name]: signature.replace(/.$/, (c) => (c === '0' ? '1' : '0')) },
        rawBody,
      },
      { headers: { 'content-type': 'application/json' }, rawBody },
      { headers, rawBody: rawBody.subarray(0, -1) },
      { headers, rawBody: Buffer.concat([rawBody, Buffer.from(' ')]) },
      { headers, rawBody: Buffer.from(JSON.stringify(JSON.parse(rawBody.toString()), null, 1)) },
      { headers, rawBody: touched },
      { headers, rawBody: Buffer.alloc(0) },
    ];
    for (const delivered of forged)
      expect(await catchError(parse(delivered))).toBeInstanceOf(ForgedWebhook);
    expect(await parse(delivery)).not.toBeNull();
  });

  it("are ignored if we don't need them", async () => {
    const body = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      event: 'transfer.success',
      kind: 'transfer.success',
      type: 'transfer.created',
      data: {
        object: { id: 'tr_1' },
        reference: null,
        providerSubscriptionId: null,
        customerId: null,
        chargeId: null,
        plan: null,
      },
    });
    expect(await parse(await subject.sign(body))).toBeNull();
  });
}
