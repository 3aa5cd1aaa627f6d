import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import {
  HEARD_KINDS,
  layoutNames,
  type UsageChanges,
  type UsageReport,
} from '#contract/admin/usage-reports.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { LeadSkeleton } from '#web/admin/admin-skeletons.tsx';
import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { formatCount, formatDateTime, formatMoney, formatNumber } from '#web/lib/format/format.ts';
import { showErrorToast } from '#web/lib/store/toasts.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Download } from '#web/ui/icons.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { filePath, makeAgain, reportQuery, REPORTS_PATH, saveReportFile } from './api.ts';
import { describeDays, describeSeconds, kindNames } from './report-words.ts';

export function Page() {
  const { id = '' } = useParams();
  useRefreshOn('admin:usage-reports', REPORTS_PATH);
  const query = useQuery(reportQuery(id));
  const { data } = query;
  return (
    <AdminFrame
      title={data ? `Usage report ${data.number}` : 'Usage report'}
      lead={
        data
          ? `${describeDays(data)}, ${layoutNames[data.layout]}`
          : !query.error && <LeadSkeleton />
      }
    >
      <Loaded
        query={query}
        failed="Couldn’t load this report."
        missing={{
          title: 'Usage report not found',
          text: 'It never existed, or the address is wrong.',
          link: { href: '/admin/rights/reports', label: 'Usage reports' },
        }}
        skeleton={<PanelRowsSkeleton rows={6} />}
      >
        {(report) => (
          <>
            <FileOf report={report} />
            <Totals report={report} />
            {report.changes && <Changes report={report} changes={report.changes} />}
            {report.state === 'ready' && report.previous !== null && !report.changes && (
              <Notice tone="danger" title={`Can’t be compared with report ${report.previous}`}>
                What is kept of one of them is missing or damaged. This report’s own file is not
                affected. Restore the folder usage-reports of the store from a backup.
              </Notice>
            )}
          </>
        )}
      </Loaded>
    </AdminFrame>
  );
}

type CsvLinkProps = {
  of: Parameters<typeof saveReportFile>[0];
  variant?: 'line';
  children: string;
};

function CsvLink({ of, variant, children }: CsvLinkProps) {
  const save = useMutation({
    mutationFn: () => saveReportFile(of),
    retry: false,
    onError: (error) =>
      showErrorToast(error, 'Check your connection and try again.', 'No file was saved'),
  });
  return (
    <a
      href={filePath(of)}
      aria-disabled={save.isPending}
      onClick={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
      className={buttonClass({ ...(variant && { variant }) })}
    >
      <Download />
      {children}
    </a>
  );
}

/** The file, and whether what is kept still makes the same one. */
function FileOf({ report }: { report: UsageReport }) {
  const { id, state, sha256, previous } = report;
  const again = useMutation({
    mutationFn: () => makeAgain(id),
    retry: false,
    onError: (error) => showErrorToast(error, 'Check your connection and try again.'),
  });
  if (state === 'making')
    return (
      <p role="status" className="text-text-2">
        The report is being made. This page shows it as soon as it’s ready; you can leave meanwhile.
      </p>
    );
  if (state === 'failed')
    return (
      <Notice tone="danger" title="The report couldn’t be made">
        Nothing was kept of it. Under System → Jobs is what went wrong; retry the job there, or make
        a new report.
      </Notice>
    );
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        <CsvLink of={{ id, file: 'report' }}>Download CSV</CsvLink>
        {previous !== null && (
          <CsvLink of={{ id, file: 'changes' }} variant="line">
            Changes as CSV
          </CsvLink>
        )}
        <Button
          variant="line"
          aria-disabled={again.isPending}
          onClick={() => !again.isPending && again.mutate()}
        >
          {again.isPending ? 'Making it again' : 'Make it again'}
        </Button>
      </div>
      {again.data &&
        (again.data.isSame ? (
          <Notice tone="success" title="Made again: the same bytes" />
        ) : (
          <Notice tone="danger" title="Made again: not the same bytes">
            Another version of this program writes this layout differently. The stored file is what
            you reported. The new hash is {again.data.sha256}.
          </Notice>
        ))}
      <p className="text-13 wrap-anywhere text-text-2">SHA-256: {sha256}</p>
    </div>
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex flex-wrap justify-between gap-x-4 border-t border-line py-2.5 first:border-0">
    <dt className="text-text-2">{label}</dt>
    <dd className="text-right font-semibold tabular-nums">{children}</dd>
  </div>
);

function Totals({ report }: { report: UsageReport }) {
  const { territory, currency, revenue, totals, madeAt, madeBy } = report;
  const money = (cents: number) => formatMoney(cents, currency, 'auto');
  return (
    <section aria-labelledby="totals" className="max-w-3xl">
      <SectionHead id="totals" title="Totals" />
      <dl className="rounded-panel bg-surface px-4 py-1.5 @3xl/content:px-5">
        {totals && (
          <>
            <Fact label="Lines">
              {formatCount(totals.entries, 'entry', 'entries')} of{' '}
              {formatCount(totals.tracks, 'mix', 'mixes')}
            </Fact>
            {HEARD_KINDS.map((kind) => (
              <Fact key={kind} label={kindNames[kind]}>
                {formatNumber(totals.heard[kind].plays)}
                {kind !== 'podcast' && `, ${describeSeconds(totals.heard[kind].seconds)}`}
              </Fact>
            ))}
            <Fact label="In no known entry">{describeSeconds(totals.outside)}</Fact>
          </>
        )}
        <Fact label="Territory">{territory}</Fact>
        <Fact label="Revenue, as confirmed">{money(revenue.confirmed)}</Fact>
        <Fact label="Revenue, as the books said">{money(revenue.calculated)}</Fact>
        <Fact label="Made">
          {formatDateTime(madeAt)}
          {madeBy !== null && ` by ${madeBy}`}
        </Fact>
      </dl>
    </section>
  );
}

const changeNames = { added: 'New line', removed: 'No longer there', changed: 'Changed' };

function Changes({ report, changes }: { report: UsageReport; changes: UsageChanges }) {
  const { added, removed, changed, items } = changes;
  return (
    <section aria-labelledby="changes">
      <SectionHead id="changes" title={`Since report ${report.previous}`} />
      {items.length === 0 ? (
        <p className="text-text-2">Nothing changed.</p>
      ) : (
        <>
          <p className="pb-3 text-text-2">
            {formatCount(added, 'line')} added, {formatCount(removed, 'line')} removed,{' '}
            {formatCount(changed, 'cell')} changed.
            {added + removed + changed > items.length &&
              ` The first ${formatNumber(items.length)} are here, all of them in the file.`}
          </p>
          <ul className="rounded-panel bg-surface">
            {items.map(({ change, track, title, column, before, after }, index) => (
              // A cell may change twice in lines of the same name.
              <li
                key={index}
                className="border-t border-line px-4 py-2.5 first:border-0 @3xl/content:px-5"
              >
                <p className="font-semibold wrap-anywhere">
                  {track}
                  {title && `, ${title}`}
                </p>
                <p className="text-13 wrap-anywhere text-text-2">
                  {change === 'changed'
                    ? `${column}: ${before || 'empty'} → ${after || 'empty'}`
                    : changeNames[change]}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
