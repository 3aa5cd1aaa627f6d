import type { Subscriber } from '#contract/admin/subscribers.ts';
import { formatShortDate } from '#web/lib/format/format.ts';

type Paid = { label: string; text: string };

/** Until when a member has paid, or what is true instead. */
export function describePaid({ paidThrough, basis, refundedAt }: Subscriber): Paid {
  const label = basis === 'free' ? 'Free access until' : 'Paid until';
  if (paidThrough !== null) return { label, text: formatShortDate(paidThrough) };
  if (refundedAt !== null)
    return { label: 'Paid', text: `Nothing now, refunded on ${formatShortDate(refundedAt)}` };
  return { label: 'Paid', text: basis === 'ended' ? 'Nothing now, ended' : 'Never' };
}

/** The same in one line. */
export function summarisePaid(subscriber: Subscriber): string {
  const { paidThrough, access, refundedAt, basis } = subscriber;
  const { label, text } = describePaid(subscriber);
  if (paidThrough !== null) return `${access === 'active' ? label : 'Expired'} ${text}`;
  if (refundedAt !== null) return `Refunded ${formatShortDate(refundedAt)}`;
  return basis === 'ended' ? 'Ended, nothing paid now' : 'Never paid';
}
