import { CsvLink } from '#web/admin/csv-link.tsx';
import { ArrowLeft } from '#web/ui/icons.ts';
import { useState } from 'react';
import { Link } from 'wouter';
import { dayOf } from '#contract/rules/days.ts';
import { listCsvPath, useLiveFigures } from './api.ts';
import { FigureList } from './figure-list.tsx';
import { readRange } from './range-picker.tsx';
import { isReportName } from '#contract/admin/report-groups.ts';
import { boot } from '#web/lib/store/boot.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { AdminFrame } from '../admin-frame.tsx';

export function Page() {
  const [now] = useState(Date.now);
  useLiveFigures();
  const [name, figure] = [useQueryParam('report'), useQueryParam('figure')];
  const range = { from: useQueryParam('from') ?? '', to: useQueryParam('to') ?? '' };
  const track = useQueryParam('track');
  const choice = {
    ...readRange(range, dayOf(now, boot.timeZone)),
    ...(track && { track }),
  };
  const report = isReportName(name) ? name : 'subscribers';
  const back = new URLSearchParams({ report, ...choice });
  const list = { report, figure: figure ?? 'active', ...choice };
  return (
    <AdminFrame title="Reports">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Link
          href={`/admin/reports?${back}`}
          className="inline-flex min-h-11 items-center gap-2 font-medium text-text-2 hover:text-text"
        >
          <ArrowLeft className="size-5" />
          Back to the report
        </Link>
        <CsvLink href={listCsvPath(list)} />
      </div>
      <FigureList choice={list} />
    </AdminFrame>
  );
}
