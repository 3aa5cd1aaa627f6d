import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeFailure } from '#web/lib/api.ts';
import { readText } from '#web/lib/parse-form.ts';
import { formatDateTime, formatMoney } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { TextSkeleton } from '#web/ui/skeleton.tsx';
import { accessQuery } from './api.ts';

const LEDGER_WORDS: Record<string, string> = {
  charge: 'Payment',
  'charge-refused': 'Payment not accepted',
  'charge-failed': 'Payment failed',
  refund: 'Paid back',
  dispute: 'Held back by the bank',
  'dispute-won': 'Released by the bank',
  trial: 'Trial',
  coupon: 'Code',
  gift: 'Gift',
  grant: 'Access given',
  end: 'Access ended',
  subscribed: 'Subscribed',
  cancelled: 'Cancelled',
  resumed: 'Taken up again',
  'plan-changed': 'Plan changed',
  duplicate: 'One too many',
  ended: 'Subscription over',
};

/** The ledger, and whether somebody had access at any minute of it. */
export function AccessCheck({ id }: { id: string }) {
  const [at, setAt] = useState<number | null>(null);
  const { data, error } = useQuery(accessQuery(id, at));
  return (
    <section aria-labelledby="access" className="flex flex-col gap-4">
      <SectionHead id="access" title="Access and ledger" />
      <form
        className="flex flex-wrap items-start gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const text = readText(new FormData(event.currentTarget), 'at');
          const time = text ? new Date(text).getTime() : Number.NaN;
          setAt(Number.isNaN(time) ? null : time);
        }}
      >
        <Field
          label="Had access at"
          name="at"
          type="datetime-local"
          hint="Your own clock; empty means now."
          className="max-w-64"
        />
        <Button type="submit" variant="line" className="mt-[29px]">
          Check
        </Button>
      </form>
      {error && (
        <Notice tone="danger" title={describeFailure(error, 'The ledger could not be read.')} />
      )}
      {!data && !error && <TextSkeleton />}
      {data && (
        <>
          <Notice
            tone={data.hasAccess ? 'success' : 'warning'}
            title={`${data.hasAccess ? 'Access' : 'No access'} at ${formatDateTime(data.at)}`}
          >
            {data.because}
          </Notice>
          {data.entries.length > 0 && (
            <ol aria-label="Ledger" className="rounded-panel bg-surface">
              {data.entries.toReversed().map((event) => (
                <li
                  key={event.seq}
                  className="flex flex-wrap justify-between gap-x-4 border-t border-line px-5 py-2.5 first:border-0"
                >
                  <span className="min-w-0">
                    <span className="font-medium">{LEDGER_WORDS[event.kind] ?? event.kind}</span>
                    <span className="block text-13 text-text-2">{event.because}</span>
                  </span>
                  <span className="text-13 text-text-2 tabular-nums">
                    {event.amount !== null && event.currency !== null
                      ? `${formatMoney(event.amount, event.currency)}, `
                      : ''}
                    {formatDateTime(event.at)}
                  </span>
                </li>
              ))}
            </ol>
          )}
        </>
      )}
    </section>
  );
}
