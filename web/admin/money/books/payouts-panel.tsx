import { useQuery } from '@tanstack/react-query';
import type { PayoutPayment, Payouts } from '#contract/admin/books.ts';
import { formatCount, formatMoney, formatShortDate } from '#web/lib/format/format.ts';
import { ChevronDown } from '#web/ui/icons.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { money, Panel, tableClass } from './book-panels.tsx';

type Payout = Payouts['payouts'][number];

/** The provider may be slow or down, so the page asks separately. */
export function PayoutsPanel({ period }: { period: string }) {
  return (
    <Panel id="payouts" title="Payouts" sheets={['payouts', 'payout-payments']} period={period}>
      <Loaded
        query={useQuery(apiQuery('GET /api/admin/books/:period/payouts', { params: { period } }))}
        failed="Couldn’t load the payouts."
        skeleton={<PanelRowsSkeleton rows={2} />}
      >
        {({ payouts }) => <PayoutTable payouts={payouts} />}
      </Loaded>
    </Panel>
  );
}

function PayoutTable({ payouts }: { payouts: readonly Payout[] }) {
  if (payouts.length === 0)
    return <p className="py-2.5 text-text-2">The payment provider reported no payouts.</p>;
  return (
    <>
      <table className={tableClass}>
        <thead className="text-text-3">
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Fees</th>
            <th scope="col">Paid out</th>
          </tr>
        </thead>
        {payouts.map((payout) => (
          <PayoutRows key={payout.id} payout={payout} />
        ))}
      </table>
      <p className="border-t border-line py-2.5 text-13 text-text-2">
        Which payments a payout consists of is derived from dates and amounts: the provider doesn’t
        name them.
      </p>
    </>
  );
}

const describePayments = ({ count, difference }: Payout): string =>
  [
    formatCount(count, 'payment'),
    difference === 0 ? 'adds up' : `${money(difference)} not explained`,
  ].join(', ');

function PayoutRows({ payout }: { payout: Payout }) {
  const { id, at, amount, fees, currency, payments, count } = payout;
  return (
    <tbody className="border-t border-line">
      <tr>
        <th scope="row">
          {formatShortDate(at)}
          <span className="block font-normal wrap-anywhere text-text-2">{id}</span>
        </th>
        <td>{fees === null ? 'Not reported' : formatMoney(fees, currency, 'auto')}</td>
        <td>{formatMoney(amount, currency, 'auto')}</td>
      </tr>
      <tr>
        <td colSpan={3} className="pt-0!">
          <details className="group">
            <summary className="flex min-h-11 cursor-pointer items-center gap-1.5 text-text-2 hover:text-text md:min-h-9">
              <ChevronDown className="size-4 shrink-0 -rotate-90 group-open:rotate-0" />
              {describePayments(payout)}
            </summary>
            <ul aria-label={`Payments of ${formatShortDate(at)}`}>
              {payments.map((payment, index) => (
                // Two of them may be equal.
                <PaymentLine key={index} payment={payment} />
              ))}
            </ul>
            {count > payments.length && (
              <p className="py-1.5 text-text-2">
                The first {payments.length}. “Their payments” has all of them.
              </p>
            )}
          </details>
        </td>
      </tr>
    </tbody>
  );
}

const kinds: Record<PayoutPayment['kind'], string> = {
  sale: 'Invoice',
  refund: 'Refund',
  'not-invoiced': 'Not accepted',
  'card-check': 'Card check',
};

const PaymentLine = ({
  payment: { kind, number, at, amount, fee },
}: {
  payment: PayoutPayment;
}) => (
  <li className="flex flex-wrap justify-between gap-x-4 py-1 text-left text-text-2">
    <span>
      {formatShortDate(at)}, {kinds[kind]} {number}
    </span>
    <span>
      {money(amount)}
      {fee !== null && fee > 0 && `, fee ${money(fee)}`}
    </span>
  </li>
);
