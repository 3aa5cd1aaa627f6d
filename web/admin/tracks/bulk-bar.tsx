import { useState } from 'react';
import type { BulkChange, CatalogueTrack } from '#contract/admin/catalogue.ts';
import { findSlotProblem } from '#contract/track-fields.ts';
import { ReleaseWarning } from './editor/release-warning.tsx';
import { formatCount } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { describeOutside, ScheduleDialog } from './schedule-dialog.tsx';

/** A bulk change without the ids, which are the selected ones. */
export type BulkAction = BulkChange extends infer C
  ? C extends { ids: string[] }
    ? Omit<C, 'ids'>
    : never
  : never;

type OpenDialog = 'publish' | 'schedule' | 'move' | null;

type BulkBarProps = {
  tracks: readonly CatalogueTrack[];
  areDeleted: boolean;
  isAll: boolean;
  /** Selects all, or none if all are. */
  onAll: () => void;
  onAction: (action: BulkAction) => void;
};

/** Always has its place, or the rows below would move when the first one is selected. */
export function BulkBar({ tracks, areDeleted, isAll, onAll, onAction }: BulkBarProps) {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [openedAt, setOpenedAt] = useState(0);
  const [slot, setSlot] = useState(() => ({ week: '', year: String(new Date().getFullYear()) }));
  const hasSome = tracks.length > 0;
  const shared = { disabled: !hasSome };
  const run = (action: BulkAction) => {
    setDialog(null);
    onAction(action);
  };
  const countText = formatCount(tracks.length, 'mix', 'mixes');
  // Members get an e-mail about mixes that were not published before.
  const unreleased = tracks.filter(({ state }) => state !== 'published');

  function move(): string | null {
    const [week, year] = [Number(slot.week), Number(slot.year)];
    if (!Number.isInteger(week) || week < 1) return 'Choose a week.';
    const problem = findSlotProblem({ week, year });
    if (problem) return problem;
    run({ action: 'move', week, year });
    return null;
  }

  return (
    <div
      role="toolbar"
      aria-label="Selected mixes"
      className={`flex flex-wrap items-center gap-2 rounded-panel p-2.5 ring-1 ring-line ${hasSome ? 'sticky top-[68px] z-20 bg-overlay shadow-overlay' : ''}`}
    >
      <label className="flex min-h-11 w-36 cursor-pointer items-center gap-3 font-medium tabular-nums">
        <input
          type="checkbox"
          aria-label="Select all"
          className="size-5"
          checked={isAll}
          onChange={onAll}
        />
        {hasSome ? `${tracks.length} selected` : 'Select all'}
      </label>
      {areDeleted ? (
        <Button size="sm" variant="line" {...shared} onClick={() => run({ action: 'restore' })}>
          Restore
        </Button>
      ) : (
        <>
          <Button
            size="sm"
            variant="line"
            {...shared}
            onClick={() => {
              if (unreleased.length === 0) return run({ action: 'publish' });
              setOpenedAt(Date.now());
              setDialog('publish');
            }}
          >
            Publish
          </Button>
          <Button size="sm" variant="line" {...shared} onClick={() => run({ action: 'unpublish' })}>
            Unpublish
          </Button>
          <Button size="sm" variant="line" {...shared} onClick={() => setDialog('schedule')}>
            Schedule
          </Button>
          <Button size="sm" variant="line" {...shared} onClick={() => setDialog('move')}>
            Change week…
          </Button>
          <Button size="sm" variant="danger" {...shared} onClick={() => run({ action: 'delete' })}>
            Delete
          </Button>
        </>
      )}
      {dialog === 'publish' && (
        <BulkDialog
          title={`Publish ${countText}?`}
          submitLabel="Publish now"
          onSubmit={() => {
            run({ action: 'publish' });
            return null;
          }}
          onClose={() => setDialog(null)}
        >
          {() => (
            <>
              <p className="text-text-2">
                Members who subscribe to release e-mails are notified within a minute. You can
                unpublish later, but you can’t unsend e-mails.
              </p>
              <ReleaseWarning text={describeOutside(unreleased, openedAt)} />
            </>
          )}
        </BulkDialog>
      )}
      {dialog === 'schedule' && (
        <ScheduleDialog
          tracks={tracks}
          onSchedule={(at) => run({ action: 'schedule', at })}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'move' && (
        <BulkDialog
          title={`Change the week of ${countText}`}
          submitLabel="Change week"
          onSubmit={move}
          onClose={() => setDialog(null)}
        >
          {(error) => (
            <div className="grid grid-cols-2 gap-4">
              <Field
                label="Week"
                inputMode="numeric"
                value={slot.week}
                onChange={(event) => setSlot({ ...slot, week: event.target.value })}
                error={error}
              />
              <Field
                label="Year"
                inputMode="numeric"
                value={slot.year}
                onChange={(event) => setSlot({ ...slot, year: event.target.value })}
              />
            </div>
          )}
        </BulkDialog>
      )}
    </div>
  );
}
