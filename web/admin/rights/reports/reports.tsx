import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { parsePeriod } from '#contract/admin/book-periods.ts';
import {
  findReportProblem,
  layoutNames,
  listReportPeriods,
  type REPORT_PERIODS,
  type UsageReport,
  type usageReportRoutes,
} from '#contract/admin/usage-reports.ts';
import type { RouteOutput } from '#contract/route.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { formatDateTime, formatMoney, formatNumber } from '#web/lib/format/format.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { readText } from '#web/ui/forms/parse-form.ts';
import { Select } from '#web/ui/forms/select.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { outlookQuery, periodsQuery, REPORTS_PATH, reportsQuery } from './api.ts';
import { GapList } from './gap-list.tsx';
import { HeardPanel, NewReport } from './new-report.tsx';
import { describeDays, LEAD, STATES } from './report-words.ts';

export function Page() {
  useRefreshOn('admin:usage-reports', REPORTS_PATH);
  return (
    <AdminFrame title="Usage reports" lead={LEAD}>
      <Loaded
        query={useQuery(periodsQuery)}
        failed="Couldn’t load the periods."
        skeleton={<PanelRowsSkeleton rows={4} />}
      >
        {(periods) => <Period periods={periods} />}
      </Loaded>
      <section aria-labelledby="made">
        <SectionHead id="made" title="Made so far" />
        <PagedList
          label="Reports"
          query={useInfiniteQuery(reportsQuery)}
          failed="Couldn’t load the reports."
          empty="None yet."
          renderItem={(report) => <ReportRow key={report.id} report={report} />}
        />
      </section>
    </AdminFrame>
  );
}

type Periods = RouteOutput<(typeof usageReportRoutes)['GET /api/admin/rights/periods']>;
type Kind = keyof typeof REPORT_PERIODS | 'range';

const kindLabels: Record<Kind, string> = {
  month: 'Month',
  quarter: 'Quarter',
  year: 'Year',
  range: 'Other dates',
};

/** What the address asks for, or the newest period of its kind that is over and added up. */
function usePeriod({ firstDay, lastDay }: Periods) {
  const [by, asked] = [useQueryParam('by'), useQueryParam('period')];
  const kind: Kind = by !== null && by in kindLabels ? (by as Kind) : 'quarter';
  const listOf = (one: Exclude<Kind, 'range'>) =>
    firstDay === null || lastDay === null
      ? []
      : listReportPeriods(one, { from: firstDay, to: lastDay });
  if (kind === 'range') return { kind, period: asked, options: [], listOf };
  const options = listOf(kind);
  return {
    kind,
    period: options.find((one) => one === asked) ?? options[0] ?? null,
    options,
    listOf,
  };
}

function Period({ periods }: { periods: Periods }) {
  const [, navigate] = useLocation();
  const { kind, period, options, listOf } = usePeriod(periods);
  const go = (next: Kind, chosen: string | null) =>
    navigate(`/admin/rights/reports?by=${next}${chosen === null ? '' : `&period=${chosen}`}`);
  if (periods.lastDay === null)
    return (
      <EmptyState
        glyph="waiting"
        title="Nothing to report yet"
        text="A day is added up two nights after it ended. A report can be made of days that are added up."
      />
    );
  const problem = period === null ? null : findReportProblem(period, periods);
  return (
    <>
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2.5">
        <Select
          label="Kind of period"
          value={kind}
          onValueChange={(value) => {
            const next = value as Kind;
            if (next !== 'range') return go(next, null);
            const { from, to } = parsePeriod(period ?? listOf('month')[0] ?? periods.today);
            go('range', `${from}_${to}`);
          }}
          options={Object.entries(kindLabels).map(([value, label]) => ({ value, label }))}
        />
        {kind === 'range' ? (
          <DayChoice
            key={period}
            period={period}
            problem={problem}
            onChoose={(range) => go('range', range)}
          />
        ) : (
          options.length > 0 && (
            <Select
              label="Period"
              value={period ?? ''}
              onValueChange={(value) => go(kind, value)}
              options={options.map((value) => ({ value, label: describeDays(parsePeriod(value)) }))}
            />
          )
        )}
      </div>
      {period === null ? (
        <p className="text-text-2">No whole {kind} is over yet. Choose other dates.</p>
      ) : (
        problem === null && <Outlook key={period} period={period} />
      )}
    </>
  );
}

type DayChoiceProps = {
  period: string | null;
  problem: string | null;
  onChoose: (period: string) => void;
};

function DayChoice({ period, problem, onChoose }: DayChoiceProps) {
  const [from = '', to = ''] = period?.split('_') ?? [];
  const [typed, setTyped] = useState(problem);
  function show(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [first, last] = [readText(form, 'from'), readText(form, 'to')];
    if (first === '' || last === '') setTyped('Choose both days.');
    else onChoose(`${first}_${last}`);
  }
  return (
    <form noValidate onSubmit={show} className="flex flex-wrap items-start gap-3">
      <Field label="From" name="from" type="date" defaultValue={from} className="w-40!" />
      <Field
        label="To"
        name="to"
        type="date"
        defaultValue={to}
        className="w-40!"
        error={typed ?? undefined}
      />
      <Button type="submit" variant="line" className="mt-7">
        Show
      </Button>
    </form>
  );
}

function Outlook({ period }: { period: string }) {
  return (
    <Loaded
      query={useQuery(outlookQuery(period))}
      failed="Couldn’t load this period."
      skeleton={<PanelRowsSkeleton rows={6} />}
    >
      {(outlook) => (
        <>
          <GapList gaps={outlook.gaps} />
          <div className="grid items-start gap-x-14 gap-y-8 *:min-w-0 @4xl/content:grid-cols-2">
            <HeardPanel outlook={outlook} />
            <NewReport period={period} outlook={outlook} />
          </div>
        </>
      )}
    </Loaded>
  );
}

function ReportRow({ report }: { report: UsageReport }) {
  const { id, number, layout, state, madeAt, madeBy, totals, revenue, currency } = report;
  const facts = [
    `Made ${formatDateTime(madeAt)}${madeBy === null ? '' : ` by ${madeBy}`}`,
    ...(totals ? [`${formatNumber(totals.heard.full.plays)} plays`] : []),
    formatMoney(revenue.confirmed, currency, 'auto'),
  ];
  return (
    <li className="border-t border-line first:border-0">
      <Link
        href={`/admin/rights/reports/${id}`}
        className="flex min-h-16 flex-wrap items-center gap-x-3.5 gap-y-1 px-3 py-2.5 transition-colors hover:bg-raised @5xl/content:px-5"
      >
        <span className="min-w-0 flex-1">
          <span className="block font-semibold">
            {number}. {describeDays(report)}, {layoutNames[layout]}
          </span>
          <span className="block text-13 text-text-2">{facts.join(' · ')}</span>
        </span>
        {state !== 'ready' && <Tag>{STATES[state]}</Tag>}
      </Link>
    </li>
  );
}
