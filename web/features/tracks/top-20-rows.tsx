import { ArrowDown, ArrowUp, CircleHelp, Minus } from '#web/ui/icons.ts';
import { describeTrack } from '#contract/artists/artist-names.ts';
import type { ChartEntry } from '#contract/charts.ts';
import type { Track } from '#contract/tracks.ts';
import { describeMovement } from '#web/features/charts/chart-text.ts';
import { RankBars } from '#web/features/charts/rank-bars.tsx';
import { SleeveSheet } from '#web/ui/art/sleeve.tsx';
import { Dot } from '#web/ui/facts.tsx';
import { TrackRow } from './track-row.tsx';
import { TrackRows } from './track-rows.tsx';

type Top20RowsProps = {
  entries: readonly ChartEntry[];
  queue: readonly Track[];
  /** Adds a menu item that explains the rank. */
  onExplain?: (entry: ChartEntry) => void;
};

/** The ranks after number one. */
export function Top20Rows({ entries, queue, onExplain }: Top20RowsProps) {
  const tracks = entries.map((entry) => entry.track);
  return (
    <div className="px-gutter pt-2">
      <SleeveSheet tracks={tracks}>
        <TrackRows
          label="Top 20"
          tracks={tracks}
          queue={queue}
          firstRows={4}
          columns="down"
          renderRow={(row, index) => {
            const entry = entries[index];
            if (!entry) return <TrackRow {...row} />;
            return (
              <TrackRow
                {...row}
                lead={<Rank rank={entry.rank} />}
                note={<EntryNote entry={entry} />}
                marks={<EntryMarks entry={entry} />}
                menuItems={
                  onExplain && [
                    {
                      icon: CircleHelp,
                      text: `Why is it number ${entry.rank}?`,
                      onSelect: () => onExplain(entry),
                    },
                  ]
                }
              />
            );
          }}
        />
      </SleeveSheet>
    </div>
  );
}

function Rank({ rank }: { rank: number }) {
  return (
    <span className="w-[1.5rem] shrink-0 type-numeral-small text-28 text-text @2xl/content:w-[3rem]">
      <span className="sr-only">Number </span>
      {rank}
    </span>
  );
}

function EntryNote({ entry }: { entry: ChartEntry }) {
  return (
    <>
      {describeTrack(entry.track)}
      <span className="@4xl/content:hidden">
        <Dot />
        Week {entry.track.weekNumber}
      </span>
    </>
  );
}

/**
 * Columns of a wide row. A narrow one has movement and recent ranks, side by side or, where it is
 * narrowest, one above the other.
 */
function EntryMarks({ entry }: { entry: ChartEntry }) {
  return (
    <span className="flex shrink-0 flex-col items-end gap-1.5 @sm/content:flex-row @sm/content:items-center @md/content:gap-3 @2xl/content:contents">
      <span className="w-[3rem] week-numeral text-[1.625rem] @max-4xl/content:hidden">
        <span className="sr-only">Week </span>
        {entry.track.weekNumber}
      </span>
      <span className="flex @2xl/content:w-[4rem]">
        <MovementMark entry={entry} />
      </span>
      <span className="w-[4rem] text-right type-meta tabular @max-5xl/content:hidden">
        Peak {entry.peak}
      </span>
      <span className="w-[3.5rem] text-right type-meta tabular @max-5xl/content:hidden">
        {entry.weeksOnChart} {entry.weeksOnChart === 1 ? 'wk' : 'wks'}
      </span>
      <RankBars
        recent={entry.recent}
        className="@max-md/content:w-[46px] @2xl/content:mx-3 @max-[20rem]/content:hidden"
      />
    </span>
  );
}

/** An arrow and the number of places, or that the mix is new. */
function MovementMark({ entry }: { entry: ChartEntry }) {
  const { kind, text } = describeMovement(entry);
  if (kind === 'new' || kind === 'back')
    return <span className="text-13 font-semibold text-text">{text}</span>;
  const Icon = { up: ArrowUp, down: ArrowDown, same: Minus }[kind];
  const colour = { up: 'text-success', down: 'text-danger', same: 'text-text-3' }[kind];
  return (
    <span className={`inline-flex items-center gap-1 text-13 font-semibold tabular ${colour}`}>
      <Icon className="size-4" strokeWidth={2} />
      {kind !== 'same' && <span aria-hidden>{Math.abs(entry.movement ?? 0)}</span>}
      <span className="sr-only">{text}</span>
    </span>
  );
}
