import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { parseZoned } from '#contract/rules/zoned-time.ts';
import { boot } from '#web/lib/store/boot.ts';
import { readText } from '#web/ui/forms/parse-form.ts';
import { formatDateTime, formatMoney } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { TextSkeleton } from '#web/ui/skeleton.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';

const LEDGER_LABELS: Record<string, string> = {
  charge: 'Payment',
  'charge-refused': 'Payment refused',
  'charge-failed': 'Payment failed',
  refund: 'Refunded',
  dispute: 'Chargeback',
  'dispute-won': 'Chargeback reversed',
  trial: 'Trial',
  coupon: 'Coupon',
  gift: 'Gift',
  grant: 'Access granted',
  end: 'Access ended',
  subscribed: 'Subscribed',
  cancelled: 'Cancelled',
  resumed: 'Resumed',
  'plan-changed': 'Plan changed',
  duplicate: 'Duplicate',
  ended: 'Subscription ended',
};

/** The payment history, and whether the user had access at a given time. */
export function AccessCheck({ id }: { id: string }) {
  const [at, setAt] = useState<number | null>(null);
  return (
    <section aria-labelledby="access" className="flex flex-col gap-4">
      <SectionHead id="access" title="Access and payment history" />
      <form
        className="flex flex-wrap items-start gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const text = readText(new FormData(event.currentTarget), 'at');
          setAt(parseZoned(text, boot.timeZone));
        }}
      >
        <Field
          label="Check access at"
          name="at"
          type="datetime-local"
          hint={`${boot.timeZone.replace('_', ' ')} time. Leave empty for now.`}
          className="max-w-64"
        />
        <Button type="submit" variant="line" className="mt-[29px]">
          Check
        </Button>
      </form>
      <Loaded
        query={useQuery(
          apiQuery('GET /api/admin/users/:id/access', {
            params: { id },
            query: at === null ? {} : { at },
          }),
        )}
        failed="Couldn’t load the history."
        skeleton={<TextSkeleton />}
      >
        {(data) => (
          <>
            <Notice
              tone={data.hasAccess ? 'success' : 'warning'}
              title={`${data.hasAccess ? 'Had access' : 'No access'} at ${formatDateTime(data.at)}`}
            >
              {data.reason}
            </Notice>
            {data.entries.length > 0 && (
              <ol aria-label="Payment history" className="rounded-panel bg-surface">
                {data.entries.toReversed().map((entry) => (
                  <li
                    key={entry.seq}
                    className="flex flex-wrap justify-between gap-x-4 border-t border-line px-5 py-2.5 first:border-0"
                  >
                    <span className="min-w-0">
                      <span className="font-medium">{LEDGER_LABELS[entry.kind] ?? entry.kind}</span>
                      <span className="block text-13 text-text-2">{entry.reason}</span>
                    </span>
                    <span className="text-13 text-text-2 tabular-nums">
                      {entry.amount !== null && entry.currency !== null
                        ? `${formatMoney(entry.amount, entry.currency)}, `
                        : ''}
                      {formatDateTime(entry.at)}
                    </span>
                  </li>
                ))}
              </ol>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
