import { useQuery } from '@tanstack/react-query';
import type { TracklistUsage, TrackUsage } from '#contract/admin/usage.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { formatDate, formatDateTime, formatNumber } from '#web/lib/format/format.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { heardQuery } from './api.ts';
import { ScrollBox } from './scroll-box.tsx';

const KINDS = [
  { kind: 'full', label: 'Full plays' },
  { kind: 'preview', label: 'Previews' },
  { kind: 'subsonic', label: 'Music apps (estimate)' },
] as const;

const UNKNOWN = 'Unknown';

type Figures = TracklistUsage['entries'][number]['full'];

/** How often, and below that for how long. */
function FigureCell({ figures }: { figures: Figures }) {
  return (
    <td className="px-2 py-2 text-right whitespace-nowrap">
      {figures ? formatNumber(figures.plays) : UNKNOWN}
      {figures && figures.seconds > 0 && (
        <span className="block text-text-3">{formatDuration(figures.seconds)}</span>
      )}
    </td>
  );
}

const PlainCell = ({ text }: { text: string }) => (
  <td className="px-2 py-2 text-right whitespace-nowrap">{text}</td>
);

function TracklistTable({ usage }: { usage: TracklistUsage }) {
  const { until, entries, podcasts } = usage;
  const label = until === null ? 'The audio of today' : `The audio until ${formatDateTime(until)}`;
  return (
    <div className="rounded-panel bg-surface p-3 @3xl/content:px-5">
      <ScrollBox label={label}>
        <table className="w-full text-13 tabular-nums">
          <caption className="px-2 pb-2 text-left font-semibold">{label}</caption>
          <thead className="text-text-3">
            <tr>
              <th scope="col" className="px-2 py-2 text-left font-medium">
                Entry
              </th>
              {KINDS.map(({ kind, label: name }) => (
                <th key={kind} scope="col" className="px-2 py-2 text-right font-medium">
                  {name}
                </th>
              ))}
              <th scope="col" className="px-2 py-2 text-right font-medium">
                Podcasts (estimate)
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry, index) => (
              <tr key={index} className="border-t border-line">
                <th scope="row" className="min-w-40 px-2 py-2 text-left font-normal wrap-anywhere">
                  {entry.title}
                  <span className="block text-text-3">
                    {entry.at === null ? 'No time' : formatDuration(entry.at)}
                    {entry.artist && ` · ${entry.artist}`}
                  </span>
                </th>
                {KINDS.map(({ kind }) => (
                  <FigureCell key={kind} figures={entry[kind]} />
                ))}
                <PlainCell text={formatNumber(podcasts)} />
              </tr>
            ))}
            <tr className="border-t border-line-strong font-semibold">
              <th scope="row" className="px-2 py-2 text-left">
                Whole mix
              </th>
              {KINDS.map(({ kind }) => (
                <FigureCell key={kind} figures={usage[kind]} />
              ))}
              <PlainCell text={formatNumber(podcasts)} />
            </tr>
          </tbody>
        </table>
      </ScrollBox>
    </div>
  );
}

const describeState = ({ addedUpTo }: TrackUsage, { to }: DayRange): string => {
  if (addedUpTo === null) return 'Nothing is added up yet: a day is, two nights after it ended.';
  return addedUpTo < to
    ? `Added up to ${formatDate(addedUpTo)}: a day is added up two nights after it ended.`
    : '';
};

/** Which entries of a mix were heard, how often and for how long. */
export function HeardPanel({ trackId, range }: { trackId: string; range: DayRange }) {
  return (
    <section aria-labelledby="heard-title" className="flex flex-col gap-4">
      <div>
        <h2 id="heard-title" className="type-section">
          How long each track was heard
        </h2>
        <p className="mt-2 max-w-[72ch] text-13 text-text-3">
          Plays of at least five seconds of a track, and how long it was heard. Tracks without a
          time share one, so theirs is unknown. Music apps and podcast apps don’t say what was
          heard: those are estimates.
        </p>
      </div>
      <Loaded
        query={useQuery(heardQuery(trackId, range))}
        failed="Couldn’t load what was heard."
        skeleton={<PanelRowsSkeleton rows={6} />}
      >
        {(usage) => (
          <>
            {describeState(usage, range) && (
              <p className="text-13 text-text-2">{describeState(usage, range)}</p>
            )}
            {usage.tracklists.map((each) => (
              <TracklistTable key={each.until} usage={each} />
            ))}
          </>
        )}
      </Loaded>
    </section>
  );
}
