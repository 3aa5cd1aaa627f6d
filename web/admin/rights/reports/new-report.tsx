import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import {
  HEARD_KINDS,
  layoutNames,
  REPORT_LAYOUTS,
  UsageReportForm,
  type ReportLayout,
  type UsageOutlook,
} from '#contract/admin/usage-reports.ts';
import { parseAmount } from '#web/admin/money/parse-amount.ts';
import { refreshPaths } from '#web/lib/api/api-query.ts';
import { formatCount, formatMoney, formatNumber } from '#web/lib/format/format.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { SelectField } from '#web/ui/forms/select-field.tsx';
import { Form } from '#web/ui/forms/form.tsx';
import { parseValues, readText } from '#web/ui/forms/parse-form.ts';
import { SectionHead } from '#web/ui/page-head.tsx';
import { makeReport, REPORTS_PATH } from './api.ts';
import { describeDays, describeSeconds, kindNames } from './report-words.ts';

/** What was heard in the period. */
export function HeardPanel({ outlook: { totals } }: { outlook: UsageOutlook }) {
  return (
    <section aria-labelledby="heard">
      <SectionHead id="heard" title="What was heard" />
      <div className="rounded-panel bg-surface px-4 py-2 @3xl/content:px-5">
        <table className="w-full text-left text-13 tabular-nums [&_:is(td,th)]:py-2.5 [&_:is(td,th):not(:first-child)]:pl-4 [&_:is(td,th):not(:first-child)]:text-right">
          <thead className="text-text-3">
            <tr>
              <th scope="col">
                {formatCount(totals.tracks, 'mix', 'mixes')},{' '}
                {formatCount(totals.entries, 'entry', 'entries')}
              </th>
              <th scope="col">Plays</th>
              <th scope="col">Heard</th>
            </tr>
          </thead>
          <tbody>
            {HEARD_KINDS.map((kind) => (
              <tr key={kind} className="border-t border-line">
                <th scope="row">{kindNames[kind]}</th>
                <td>{formatNumber(totals.heard[kind].plays)}</td>
                <td>
                  {kind === 'podcast' ? 'Unknown' : describeSeconds(totals.heard[kind].seconds)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const newRequest = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** The layout, and the totals that the operator confirms. */
export function NewReport({ period, outlook }: { period: string; outlook: UsageOutlook }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [request] = useState(newRequest);
  const [layout, setLayout] = useState<ReportLayout>('general');
  const { territory, currency, revenue } = outlook;
  const money = (cents: number) => formatMoney(cents, currency, 'auto');
  return (
    <section aria-labelledby="new-report">
      <SectionHead id="new-report" title={`Report ${describeDays(outlook)}`} />
      <Form
        className="flex max-w-xl flex-col gap-4"
        submitLabel="Confirm and make the report"
        busyLabel="One moment"
        button={{ className: 'self-start' }}
        failed="Couldn’t make the report."
        parse={(element) => {
          const form = new FormData(element);
          return parseValues(UsageReportForm, {
            request,
            period,
            layout,
            territory: readText(form, 'territory'),
            revenue: parseAmount(readText(form, 'revenue')),
          });
        }}
        onSubmit={async (body) => {
          const { id } = await makeReport(body);
          void refreshPaths(client, REPORTS_PATH);
          navigate(`/admin/rights/reports/${id}`);
        }}
      >
        {(errors) => (
          <>
            <SelectField
              label="Layout"
              hint="Neither CAPASSO nor SAMRO publishes its form. Compare the columns with the one that you were given."
              value={layout}
              options={REPORT_LAYOUTS.map((value) => ({ value, label: layoutNames[value] }))}
              onChange={(event) => setLayout(event.target.value as ReportLayout)}
            />
            <Field
              label="Territory"
              name="territory"
              defaultValue={territory}
              maxLength={80}
              error={errors.territory}
            />
            <Field
              label={`Revenue of the period (${currency})`}
              name="revenue"
              inputMode="decimal"
              defaultValue={(Math.max(0, revenue.calculated) / 100).toFixed(2)}
              hint={`The books say ${money(revenue.calculated)}: sales of ${money(revenue.sales)} less refunds of ${money(revenue.refunds)}, both without VAT and booked in this period. Correct it if your licence counts something else; both amounts are kept.`}
              error={errors.revenue}
            />
          </>
        )}
      </Form>
    </section>
  );
}
