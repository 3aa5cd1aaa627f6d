import type { Subscription } from '#contract/billing.ts';
import { describeCard } from '#web/features/billing/documents/document-texts.ts';
import { formatNearDay, type DateContext } from '#web/features/billing/subscription-texts.ts';

type Owed = Pick<Subscription, 'hasAccess' | 'accessUntil' | 'card' | 'isHeld'> & {
  problem: NonNullable<Subscription['problem']>;
};

/** Why the payment is owed. */
export const describeOwed = ({ needsMember, message }: Owed['problem']): string =>
  needsMember
    ? 'Your bank wants you to confirm this payment. It takes a minute on its own page.'
    : message;

const namePaying = (card: Owed['card']): string =>
  card ? `, with ${describeCard(card).split(',', 1)[0]}` : '';

function describeRetry({ problem, card, isHeld }: Owed, dates: DateContext): string {
  if (isHeld) return 'Not while your bank decides about the dispute';
  if (problem.needsMember) return 'Only once you confirm';
  if (problem.retryAt === null) return 'No, your bank won’t accept this card again';
  if (problem.retryAt <= dates.now) return `In a few minutes${namePaying(card)}`;
  return `On ${formatNearDay(problem.retryAt, dates)}${namePaying(card)}`;
}

/** Since when, until when, and what happens if the member does nothing. */
export function listOwedFacts(owed: Owed, dates: DateContext): [name: string, value: string][] {
  const { problem, hasAccess, accessUntil } = owed;
  const day = (at: number) => formatNearDay(at, dates);
  return [
    ['Unpaid since', day(problem.since)],
    [
      'Premium',
      hasAccess && accessUntil !== null
        ? `You keep it until ${day(accessUntil)}`
        : 'Paused until this is paid',
    ],
    ['We try again', describeRetry(owed, dates)],
    ['Pay by', `${day(problem.until)}, or your subscription ends`],
  ];
}
