import type { CANCEL_REASONS } from '../billing.ts';

/** How a subscription came to its end. Only a cancellation has a reason that the member gave. */
export const DEPARTURE_WAYS = [
  'cancelled',
  'withdrew',
  'unpaid',
  'refunded',
  'disputed',
  'ended',
  'deleted',
] as const;
export type DepartureWay = (typeof DEPARTURE_WAYS)[number];
export type DepartureReason = (typeof CANCEL_REASONS)[number];

const WAYS: Record<Exclude<DepartureWay, 'cancelled'>, string> = {
  withdrew: 'Money back in the first days',
  unpaid: 'Payment failed',
  refunded: 'Refunded',
  disputed: 'Dispute lost',
  ended: 'Ended by an administrator',
  deleted: 'Account deleted',
};

const REASONS: Record<DepartureReason, string> = {
  'too-expensive': 'Too expensive',
  'not-enough-music': 'Not enough music',
  'technical-problems': 'Something wasn’t working',
  'another-service': 'Another service',
  'only-for-a-while': 'Only for a while',
  other: 'Something else',
};

/** Why someone left, for administrators: what they answered, or what happened. */
export const describeDeparture = ({
  way,
  reason,
}: {
  way: DepartureWay;
  reason: DepartureReason | null;
}): string => {
  const said = reason === null ? null : REASONS[reason];
  if (way === 'cancelled') return said ?? 'No reason given';
  return said === null ? WAYS[way] : `${WAYS[way]}, before that: ${said.toLowerCase()}`;
};
