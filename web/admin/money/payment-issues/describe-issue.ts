import type { PaymentIssue } from '#contract/admin/payment-issues.ts';
import { formatDayAndTime } from '#web/lib/format/format.ts';

const providerNames: Record<string, string> = {
  paystack: 'Paystack',
  stripe: 'Stripe',
  sandbox: 'the sandbox',
};

export const nameProvider = (provider: string | null): string =>
  providerNames[provider ?? ''] ?? provider ?? 'the payment provider';

export const issueTitles: Record<PaymentIssue['kind'], string> = {
  'wrong-key': 'Key refused',
  'checkout-refused': 'Checkout refused',
  dispute: 'Dispute',
  'dispute-lost': 'Dispute lost',
  'other-amount': 'Another amount',
  'payment-unsettled': 'Payment without an answer',
  'renewals-overdue': 'Renewals overdue',
  'refund-failed': 'Refund failed',
  'unknown-charge': 'Unexplained payment',
  'refund-at-provider': 'Refunded at the provider',
  'shadow-differs': 'Different in shadow',
};

/** `Answer by Wed 18 Nov, 14:00`; null without a deadline. */
export function describeDeadline(
  { kind, dueAt }: Pick<PaymentIssue, 'kind' | 'dueAt'>,
  now: number,
): string | null {
  if (dueAt === null) return null;
  const at = formatDayAndTime(dueAt);
  if (kind !== 'dispute') return `Due ${at}`;
  return dueAt > now ? `Answer by ${at}` : `The time to answer ended ${at}`;
}

/** What an administrator does about it. */
export function describeRemedy({
  kind,
  provider,
}: Pick<PaymentIssue, 'kind' | 'provider'>): string {
  const name = nameProvider(provider);
  switch (kind) {
    case 'wrong-key':
      return `Set the secret key of ${name} on the server and restart it. This closes by itself once the key works.`;
    case 'checkout-refused':
      return `Nobody can pay until this is right. Look at the account at ${name}: it may be paused, or not allow this amount. This closes with the next payment page that works.`;
    case 'dispute':
      if (provider === 'sandbox') return 'The sandbox decides by itself: nobody can answer there.';
      return provider === 'paystack'
        ? 'Answer it in Paystack’s dashboard, under Disputes. You have 48 hours; without an answer it is lost.'
        : `Answer it at ${name}, under Disputes, before the deadline. Without an answer it is lost.`;
    case 'dispute-lost':
      return `The money is gone, and what it paid for doesn’t count. Look at ${name} why it was never answered, then close this.`;
    case 'other-amount':
      return `Look it up at ${name}. The payment doesn’t count, and all of it goes back by itself.`;
    case 'payment-unsettled':
      return `We’ve asked ${name} for more than a day. Look it up there by its reference. We keep asking and charge nothing else for that period; this closes once there’s an answer.`;
    case 'renewals-overdue':
      return 'Check in the settings that renewals are charged and how many an hour, and under Jobs that “Charge renewals” runs. Members keep Premium meanwhile.';
    case 'refund-failed':
      return `The money didn’t reach the member. Refund it again from the member’s page, or pay it back another way; ${name} says why it failed.`;
    case 'unknown-charge':
      return `Look it up at ${name}. If it was a mistake, refund it there.`;
    case 'refund-at-provider':
      return 'If you meant it, close this: nothing more is charged, and the member has a mail about the refund. If the subscription should go on, ask the member to subscribe again. A refund from the member’s page here lets you keep it.';
    case 'shadow-differs':
      return 'It stays at the provider until a month was the same. “npm run admin -- coming-over compare” lists all that differed.';
  }
}
