import { useQuery } from '@tanstack/react-query';
import { Download } from '#web/ui/icons.ts';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ReportName } from '#contract/admin/reports.ts';
import { dayOf } from '#contract/rules/days.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import { csvPath, useLiveFigures, type ReportChoice } from '#web/features/reports/api.ts';
import { RangePicker, readRange } from '#web/features/reports/range-picker.tsx';
import { isReportName, reportGroups } from '#web/features/reports/report-groups.ts';
import { ReportPanel } from '#web/features/reports/report-panel.tsx';
import { boot } from '#web/lib/boot.ts';
import { useQueryParam } from '#web/lib/use-query-param.ts';
import { tracksQuery } from '#web/features/tracks/api.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';
import { AdminFrame } from '../admin-frame.tsx';

type View = { report: ReportName; range: DayRange; isCompared: boolean; track: string | null };

/** The view is in the address, so it can be shared and bookmarked. */
function useView(today: string): [View, (change: Partial<View>) => void] {
  const [, navigate] = useLocation();
  const [name, from, to] = [useQueryParam('report'), useQueryParam('from'), useQueryParam('to')];
  const isCompared = useQueryParam('compare') !== 'off';
  const track = useQueryParam('track');
  const requested = { from: from ?? '', to: to ?? '' };
  const view: View = {
    report: isReportName(name) ? name : 'plays',
    range: readRange(requested, today),
    isCompared,
    track,
  };
  const change = (next: Partial<View>) => {
    const { report, range, isCompared: compares, track: trackId } = { ...view, ...next };
    const query = new URLSearchParams({ report, ...range });
    if (!compares) query.set('compare', 'off');
    if (trackId) query.set('track', trackId);
    navigate(`/admin/reports?${query}`);
  };
  return [view, change];
}

/** The newest published mix is selected by default. */
function TrackSelect({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (id: string) => void;
}) {
  const [now] = useState(Date.now);
  const { data } = useQuery(tracksQuery({ limit: 100 }));
  const tracks = data?.items ?? [];
  if (tracks.length === 0) return null;
  const newest = tracks.find(({ publishedAt }) => publishedAt <= now) ?? tracks[0];
  return (
    <Select
      label="Mix"
      value={value ?? newest?.id ?? ''}
      onValueChange={onChange}
      options={tracks.map(({ id, title, weekNumber, year }) => ({
        value: id,
        label: `Week ${weekNumber}, ${year}: ${title}`,
      }))}
      className="max-w-72"
    />
  );
}

export function Page() {
  const [now] = useState(Date.now);
  const today = dayOf(now, boot.timeZone);
  const [{ report, range, isCompared, track }, change] = useView(today);
  useLiveFigures();
  const isAboutTrack = report === 'completion';
  const choice: ReportChoice = { ...range, ...(isAboutTrack && track && { track }) };
  const options = reportGroups.map((group) => ({
    label: group.label,
    options: group.reports.map(({ name, label }) => ({ value: name, label })),
  }));
  return (
    <AdminFrame title="Reports">
      <div className="flex flex-wrap items-center gap-3">
        <Select
          label="Report"
          value={report}
          onValueChange={(name) => change({ report: name as ReportName })}
          options={options}
        />
        {isAboutTrack && <TrackSelect value={track} onChange={(id) => change({ track: id })} />}
        {report !== 'live' && (
          <RangePicker range={range} today={today} onChange={(days) => change({ range: days })} />
        )}
        <div className="ml-auto flex items-center gap-4">
          {report !== 'live' && (
            <Switch
              label="Compare"
              checked={isCompared}
              onCheckedChange={(isOn) => change({ isCompared: isOn })}
            />
          )}
          <a href={csvPath(report, choice)} download className={buttonClass({ variant: 'line' })}>
            <Download />
            CSV
          </a>
        </div>
      </div>
      <ReportPanel name={report} choice={choice} isCompared={isCompared} />
    </AdminFrame>
  );
}
