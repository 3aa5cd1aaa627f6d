import type { Subscription } from '#contract/billing.ts';
import { nameDay, type Moment } from './words.ts';

export function describeGift(months: number, from: string): string {
  const time = months === 1 ? 'one month' : `${months} months`;
  const giver = from.trim() === '' ? 'Somebody' : from.trim();
  return `${giver} gives you ${time} of Premium: every mix in full, and to keep. No card needed, and nothing to cancel.`;
}

export function describeRedeemed({ paidThrough }: Subscription, moment: Moment): string {
  const until = paidThrough === null ? '' : ` until ${nameDay(paidThrough, moment)}`;
  return `You have Premium${until}. Full access to all content.`;
}
