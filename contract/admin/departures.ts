import { z } from 'zod';
import { CANCEL_REASONS, PlanName } from '../billing.ts';

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
  if (way !== 'cancelled') return WAYS[way];
  return reason === null ? 'No reason given' : REASONS[reason];
};

export const Departure = z.object({
  id: z.string(),
  at: z.int(),
  way: z.enum(DEPARTURE_WAYS),
  /** What they answered when they cancelled, if they did. */
  reason: z.enum(CANCEL_REASONS).nullable(),
  /** What they wrote; deleted with the account. */
  comment: z.string().nullable(),
  plan: PlanName,
  /** Whole months that the subscription had lasted. */
  months: z.int(),
  /** The mix they had heard last. */
  track: z.object({ id: z.string(), title: z.string() }).nullable(),
  /** They went on after all. */
  takenBackAt: z.int().nullable(),
});
export type Departure = z.infer<typeof Departure>;
