import { CircleHelp } from 'lucide-react';
import type { ChartEntry } from '#contract/charts.ts';
import type { Track } from '#contract/tracks.ts';
import { MovementMark } from '#web/features/charts/movement-mark.tsx';
import { RankBars } from '#web/features/charts/rank-bars.tsx';
import { MenuItem } from '#web/ui/overlays/menu.tsx';
import { TrackRow } from '#web/features/tracks/track-row.tsx';
import { TrackRows } from '#web/features/tracks/track-rows.tsx';

type Top20RowsProps = {
  entries: readonly ChartEntry[];
  queue: readonly Track[];
  /** Where somebody can ask why. */
  onExplain?: (entry: ChartEntry) => void;
};

/** The places after the first. */
export function Top20Rows({ entries, queue, onExplain }: Top20RowsProps) {
  return (
    <div className="px-gutter pt-2">
      <TrackRows
        label="Top 20"
        tracks={entries.map((entry) => entry.track)}
        queue={queue}
        renderRow={(row, index) => {
          const entry = entries[index];
          if (!entry) return <TrackRow {...row} />;
          return (
            <TrackRow
              {...row}
              lead={<Rank rank={entry.rank} />}
              note={<PlaceNote entry={entry} />}
              facts={<PlaceFacts entry={entry} />}
              menuItems={
                onExplain && (
                  <MenuItem onSelect={() => onExplain(entry)}>
                    <CircleHelp aria-hidden strokeWidth={1.75} />
                    Why number {entry.rank}
                  </MenuItem>
                )
              }
            />
          );
        }}
      />
    </div>
  );
}

function Rank({ rank }: { rank: number }) {
  return (
    <span className="w-8 shrink-0 type-numeral-small text-[28px] text-text md:w-12">
      <span className="sr-only">Number </span>
      {rank}
    </span>
  );
}

function PlaceNote({ entry }: { entry: ChartEntry }) {
  return (
    <>
      <span className="md:hidden">
        <MovementMark entry={entry} />
        {' · '}
      </span>
      {entry.track.genre ?? 'Unknown Genre'}
      <span className="md:hidden">
        {' · '}Week {entry.track.weekNumber}
      </span>
    </>
  );
}

function PlaceFacts({ entry }: { entry: ChartEntry }) {
  return (
    <>
      <span className="w-12 type-numeral-small text-[26px]">
        <span className="sr-only">Week </span>
        {entry.track.weekNumber}
      </span>
      <span className="w-16">
        <MovementMark entry={entry} />
      </span>
      <span className="w-16 text-right type-meta tabular max-lg:hidden">Peak {entry.peak}</span>
      <span className="w-14 text-right type-meta tabular max-lg:hidden">
        {entry.weeksOnChart} wk
      </span>
      <RankBars recent={entry.recent} className="mx-3 w-[72px]" />
    </>
  );
}
