import type { MessageText, Site } from './message-text.ts';
import { paymentTexts } from './payment-texts.ts';
import { subscriptionTexts } from './subscription-texts.ts';

const texts = { ...paymentTexts, ...subscriptionTexts };
export type MessageKind = keyof typeof texts;

/** A kind of message and its facts. */
export type BillingMessage = {
  [Kind in MessageKind]: { kind: Kind } & Parameters<(typeof texts)[Kind]>[0];
}[MessageKind];

/** A message is sent once per key. */
export type PlannedMessage = { key: string; message: BillingMessage };

export function writeMessage(message: BillingMessage, site: Site): MessageText {
  const write = texts[message.kind] as (facts: BillingMessage, site: Site) => MessageText;
  return write(message, site);
}
