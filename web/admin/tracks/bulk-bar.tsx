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
  onAction: (action: BulkAction) => void;
  onClear: () => void;
};

export function BulkBar({ tracks, areDeleted, onAction, onClear }: BulkBarProps) {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [openedAt] = useState(() => Date.now());
  const [slot, setSlot] = useState(() => ({ week: '', year: String(new Date().getFullYear()) }));
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
      className="sticky top-[68px] z-20 flex flex-wrap items-center gap-2 rounded-panel bg-overlay p-2.5 shadow-overlay ring-1 ring-line"
    >
      <strong className="px-2 font-semibold">{tracks.length} selected</strong>
      {areDeleted ? (
        <Button size="sm" variant="line" onClick={() => run({ action: 'restore' })}>
          Restore
        </Button>
      ) : (
        <>
          <Button
            size="sm"
            variant="line"
            onClick={() =>
              unreleased.length > 0 ? setDialog('publish') : run({ action: 'publish' })
            }
          >
            Publish
          </Button>
          <Button size="sm" variant="line" onClick={() => run({ action: 'unpublish' })}>
            Unpublish
          </Button>
          <Button size="sm" variant="line" onClick={() => setDialog('schedule')}>
            Schedule
          </Button>
          <Button size="sm" variant="line" onClick={() => setDialog('move')}>
            Change week…
          </Button>
          <Button size="sm" variant="danger" onClick={() => run({ action: 'delete' })}>
            Delete
          </Button>
        </>
      )}
      <Button size="sm" variant="quiet" className="ml-auto" onClick={onClear}>
        Clear
      </Button>
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
