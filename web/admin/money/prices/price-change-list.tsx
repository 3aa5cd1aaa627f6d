import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PriceChange } from '#contract/admin/prices.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { formatCount, formatDate, formatMoney } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { call } from '#web/lib/api/api.ts';

export const pricesQuery = apiQuery('GET /api/admin/prices');

const planNames = { monthly: 'Monthly', annual: 'Annual' };

const describeChange = ({ plan, oldAmount, amount }: PriceChange): string =>
  `${planNames[plan]}: ${formatMoney(amount, CURRENCY)} instead of ${formatMoney(oldAmount, CURRENCY)}`;

function describeState({ state, startsAt, told, applied }: PriceChange): string {
  const day = formatDate(startsAt);
  const members = `${formatCount(told, 'subscriber')} told, ${applied} on the new price`;
  switch (state) {
    case 'planned':
      return `From ${day}. ${members}.`;
    case 'current':
      return `Since ${day}. ${members}.`;
    case 'replaced':
      return `From ${day}, until another price replaced it. ${members}.`;
    case 'cancelled':
      return `Planned for ${day}, then cancelled. ${formatCount(told, 'subscriber')} told.`;
  }
}

export function PriceChangeList({ changes }: { changes: readonly PriceChange[] }) {
  if (changes.length === 0) return <p className="text-text-2">No price changes yet.</p>;
  return (
    <ul aria-label="Price changes" className="rounded-panel bg-surface">
      {changes.map((change) => (
        <li
          key={change.id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line px-5 py-3 first:border-0"
        >
          <span className="min-w-0 flex-[1_1_16rem]">
            <span className="font-semibold tabular-nums">{describeChange(change)}</span>
            <span className="block text-13 text-text-2">{describeState(change)}</span>
          </span>
          {change.canCancel && <CancelChange change={change} />}
        </li>
      ))}
    </ul>
  );
}

function CancelChange({ change }: { change: PriceChange }) {
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () =>
      call('POST /api/admin/prices/changes/:id/cancel', { params: { id: change.id } }),
    onSuccess: (prices) => client.setQueryData(pricesQuery.queryKey, prices),
    retry: false,
  });
  return (
    <>
      <Button variant="line" onClick={() => setOpen(true)}>
        Cancel change
      </Button>
      {isOpen && (
        <ReasonDialog
          title="Cancel this price change"
          description={`The ${change.plan} plan keeps its price. Everyone who was told gets another e-mail that says so.`}
          confirmLabel="Cancel price change"
          isDestructive
          onConfirm={() => cancel.mutateAsync()}
          failed="Couldn’t cancel the price change."
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
