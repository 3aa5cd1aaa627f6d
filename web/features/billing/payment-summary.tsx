import { useQuery } from '@tanstack/react-query';
import { formatMoney } from '#web/lib/format.ts';
import { subscriptionQuery } from './api.ts';
import { useMoment } from './use-moment.ts';
import { describeCard, describeStatus, nameDay } from './words.ts';

/** What was bought and what comes next, in one glance. */
export function PaymentSummary() {
  const moment = useMoment();
  const { data } = useQuery(subscriptionQuery);
  if (!data) return null;
  const { nextPayment, card, currency } = data;
  const rows = [
    ['Plan', describeStatus(data, moment)],
    nextPayment && [
      'Next payment',
      `${formatMoney(nextPayment.amount, currency)} on ${nameDay(nextPayment.at, moment)}`,
    ],
    card && ['Card', describeCard(card)],
  ].filter((row) => row !== null);
  return (
    <dl className="mx-gutter mt-7 max-w-[640px] border-b border-line">
      {rows.map(([name, value]) => (
        <div key={name} className="flex gap-6 border-t border-line py-3.5">
          <dt className="w-32 shrink-0 text-text-3">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
