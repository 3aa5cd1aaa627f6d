import { ArrowLeft } from '#web/ui/icons.ts';
import { useState } from 'react';
import { Link } from 'wouter';
import { dayOf } from '#contract/rules/days.ts';
import { useLiveFigures } from './api.ts';
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
  return (
    <AdminFrame title="Reports">
      <Link
        href={`/admin/reports?${back}`}
        className="inline-flex min-h-11 items-center gap-2 self-start font-medium text-text-2 hover:text-text"
      >
        <ArrowLeft className="size-5" />
        Back to the report
      </Link>
      <FigureList choice={{ report, figure: figure ?? 'active', ...choice }} />
    </AdminFrame>
  );
}
