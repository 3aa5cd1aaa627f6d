import { useQuery } from '@tanstack/react-query';
import { CsvLink } from '#web/admin/csv-link.tsx';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ReportName } from '#contract/admin/reports.ts';
import { dayOf } from '#contract/rules/days.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import { csvPath, useLiveFigures, type ReportChoice } from './api.ts';
import { RangePicker, readRange } from './range-picker.tsx';
import { isReportForHelpers, isReportName, reportGroups } from '#contract/admin/report-groups.ts';
import { HeardPanel } from './heard-panel.tsx';
import { ReportPanel } from './report-panel.tsx';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { boot } from '#web/lib/store/boot.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { tracksQuery } from '#web/features/tracks/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import { SiteYearDialog } from './site-year-dialog.tsx';

type View = { report: ReportName; range: DayRange; isCompared: boolean; track: string | null };

/** The view is in the address, so it can be shared and bookmarked. */
function useView(today: string) {
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
  const hrefOf = (next: Partial<View>): string => {
    const { report, range, isCompared: compares, track: trackId } = { ...view, ...next };
    const query = new URLSearchParams({ report, ...range });
    if (!compares) query.set('compare', 'off');
    if (trackId) query.set('track', trackId);
    return `/admin/reports?${query}`;
  };
  return { ...view, hrefOf, change: (next: Partial<View>) => navigate(hrefOf(next)) };
}

type ReportGroups = readonly {
  label: string;
  reports: readonly { name: ReportName; label: string }[];
}[];

/** Those that this user may read. */
function useReportGroups(): ReportGroups {
  const { user } = useCurrentUser();
  if (user?.isAdmin) return reportGroups;
  return reportGroups
    .map(({ label, reports }) => ({
      label,
      reports: reports.filter(({ name }) => isReportForHelpers(name)),
    }))
    .filter(({ reports }) => reports.length > 0);
}

/** All reports in groups, next to the open one. */
function ReportNav({
  current,
  hrefOf,
}: {
  current: ReportName;
  hrefOf: (name: ReportName) => string;
}) {
  return (
    <nav
      aria-label="Reports"
      className="sticky top-[calc(var(--header)+1.5rem)] grid gap-5 @max-5xl/content:hidden"
    >
      {useReportGroups().map(({ label, reports }) => (
        <div key={label}>
          <h2 className="pb-1 text-12 font-semibold text-text-3">{label}</h2>
          <ul>
            {reports.map(({ name, label: text }) => (
              <li key={name}>
                <Link
                  href={hrefOf(name)}
                  aria-current={name === current ? 'page' : undefined}
                  className={`flex min-h-9 items-center border-l-2 pl-3 hover:text-text ${name === current ? 'border-text font-semibold text-text' : 'border-line text-text-2'}`}
                >
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The same as a menu, where there is no room for the list. */
function ReportSelect({
  current,
  onChoose,
}: {
  current: ReportName;
  onChoose: (name: ReportName) => void;
}) {
  return (
    <Select
      label="Report"
      className="@5xl/content:hidden"
      value={current}
      onValueChange={(name) => onChoose(name as ReportName)}
      options={useReportGroups().map((group) => ({
        label: group.label,
        options: group.reports.map(({ name, label }) => ({ value: name, label })),
      }))}
    />
  );
}

/** The mixes to choose from. The newest published one is selected by default. */
function useTracks(chosen: string | null, isNeeded: boolean) {
  const [now] = useState(Date.now);
  const { data } = useQuery({ ...tracksQuery({ limit: 100 }), enabled: isNeeded });
  const tracks = data?.items ?? [];
  const newest = tracks.find(({ publishedAt }) => publishedAt <= now) ?? tracks[0];
  return { tracks, selected: chosen ?? newest?.id };
}

type TrackSelectProps = ReturnType<typeof useTracks> & { onChange: (id: string) => void };

function TrackSelect({ tracks, selected = '', onChange }: TrackSelectProps) {
  if (tracks.length === 0) return null;
  return (
    <Select
      label="Mix"
      value={selected}
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
  const { report, range, isCompared, track, hrefOf, change } = useView(today);
  useLiveFigures();
  const { user } = useCurrentUser();
  const [isYearOpen, setYearOpen] = useState(false);
  const isAboutTrack = report === 'completion';
  const { tracks, selected } = useTracks(track, isAboutTrack);
  const choice: ReportChoice = { ...range, ...(isAboutTrack && track && { track }) };
  return (
    <AdminFrame title="Reports">
      <div className="grid items-start gap-x-10 @5xl/content:grid-cols-[12.5rem_minmax(0,1fr)]">
        <ReportNav current={report} hrefOf={(name) => hrefOf({ report: name })} />
        <div className="flex min-w-0 flex-col gap-6">
          <div className="flex flex-wrap items-center gap-3">
            <ReportSelect current={report} onChoose={(name) => change({ report: name })} />
            {isAboutTrack && (
              <TrackSelect {...{ tracks, selected }} onChange={(id) => change({ track: id })} />
            )}
            {report !== 'live' && (
              <RangePicker
                range={range}
                today={today}
                onChange={(days) => change({ range: days })}
              />
            )}
            <div className="ml-auto flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
              {report !== 'live' && (
                <Switch
                  label="Compare"
                  checked={isCompared}
                  onCheckedChange={(isOn) => change({ isCompared: isOn })}
                />
              )}
              <Button variant="line" onClick={() => setYearOpen(true)}>
                The year as a picture
              </Button>
              {user?.isAdmin && <CsvLink href={csvPath(report, choice)} />}
            </div>
          </div>
          <ReportPanel name={report} choice={choice} isCompared={isCompared} />
          {isAboutTrack && selected && <HeardPanel trackId={selected} range={range} />}
          <SiteYearDialog open={isYearOpen} onOpenChange={setYearOpen} />
        </div>
      </div>
    </AdminFrame>
  );
}
