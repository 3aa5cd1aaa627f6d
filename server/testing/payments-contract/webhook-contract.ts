import { expect, it } from 'vitest';
import { ForgedWebhook } from '../../ports/payments/payments.ts';
import {
  buy,
  catchError,
  REFERENCE,
  RENEWAL,
  saveCard,
  showAll,
  subject,
  type Delivery,
} from './subject.ts';
import { chargeAndKeep } from './saved-card-contract.ts';

export function describeWebhooks() {
  const parse = ({ headers, rawBody }: Delivery) => subject.payments.parseWebhook(headers, rawBody);
  const drain = async () => Promise.all((await subject.drainWebhooks()).map(parse));
  const listReferences = async () => [
    ...new Set((await drain()).filter((reference) => reference !== null)),
  ];

  it('name the payment that they are about, and never the card', async () => {
    const savedCard = await saveCard();
    const events = await drain();
    expect(events).toContain(REFERENCE);
    expect(showAll(events)).not.toContain(savedCard.token);
    await chargeAndKeep(savedCard);
    expect(await listReferences()).toEqual([RENEWAL]);
  });

  it('report what happens to a payment afterwards', async () => {
    const { chargeId } = await buy();
    const id = chargeId ?? '';
    const steps: [string, () => Promise<unknown>][] = [
      ['a refund', () => subject.payments.refund({ chargeId: id, amount: 100, key: 'k' })],
      ['a failed refund', () => subject.failRefund(id)],
      ['a dispute', () => subject.dispute(id)],
      ['its end', () => subject.decideDispute(id, 'won')],
    ];
    for (const [what, act] of steps) {
      await subject.drainWebhooks();
      await act();
      expect([what, await listReferences()]).toEqual([what, [REFERENCE]]);
    }
  });

  it('are ignored if they are about another product', async () => {
    await subject.sellOther?.();
    expect(await listReferences()).toEqual([]);
  });

  it('are refused when anything about them is forged', async () => {
    await buy();
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
    await parse(delivery);
  });

  it("are ignored if we don't need them", async () => {
    const body = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      event: 'transfer.success',
      kind: 'transfer.success',
      type: 'transfer.created',
      data: { object: { id: 'tr_1' }, reference: null },
    });
    expect(await parse(await subject.sign(body))).toBeNull();
  });
}
