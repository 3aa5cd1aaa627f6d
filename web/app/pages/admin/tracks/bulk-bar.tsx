import { useState, type ReactNode } from 'react';
import type { BulkChange } from '#contract/admin/catalogue.ts';
import { findSlotProblem } from '#contract/track-fields.ts';
import { parseZoned } from '#contract/rules/zoned-time.ts';
import { formatCount } from '#web/lib/format.ts';
import { boot } from '#web/lib/boot.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';

/** A bulk change without the ids, which are the selected ones. */
export type BulkAction = BulkChange extends infer C
  ? C extends { ids: string[] }
    ? Omit<C, 'ids'>
    : never
  : never;

type OpenDialog = 'publish' | 'schedule' | 'move' | null;

type BulkDialogProps = {
  title: string;
  submitLabel: string;
  /** Returns an error message, or null on success. */
  onSubmit: () => string | null;
  onClose: () => void;
  children: (error: string | undefined) => ReactNode;
};

function BulkDialog({ title, submitLabel, onSubmit, onClose, children }: BulkDialogProps) {
  const [error, setError] = useState<string>();
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={title}>
        <form
          noValidate
          className="grid gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            setError(onSubmit() ?? undefined);
          }}
        >
          {children(error)}
          <div className="flex gap-2">
            <Button type="submit">{submitLabel}</Button>
            <DialogClose asChild>
              <Button variant="quiet">Cancel</Button>
            </DialogClose>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  );
}

type BulkBarProps = {
  count: number;
  areDeleted: boolean;
  /** True when some were not published before: members get an e-mail about those. */
  isAnnounced: boolean;
  onAction: (action: BulkAction) => void;
  onClear: () => void;
};

export function BulkBar({ count, areDeleted, isAnnounced, onAction, onClear }: BulkBarProps) {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [at, setAt] = useState('');
  const [slot, setSlot] = useState(() => ({ week: '', year: String(new Date().getFullYear()) }));
  const run = (action: BulkAction) => {
    setDialog(null);
    onAction(action);
  };
  const mixes = formatCount(count, 'mix', 'mixes');

  function schedule(): string | null {
    const time = parseZoned(at, boot.timeZone);
    if (time === null) return 'Choose a day and a time.';
    if (time < Date.now() - 60_000)
      return 'This time has passed. Choose a later one, or publish now.';
    run({ action: 'schedule', at: time });
    return null;
  }

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
      <strong className="px-2 font-semibold">{count} selected</strong>
      {areDeleted ? (
        <Button size="sm" variant="line" onClick={() => run({ action: 'restore' })}>
          Restore
        </Button>
      ) : (
        <>
          <Button
            size="sm"
            variant="line"
            onClick={() => (isAnnounced ? setDialog('publish') : run({ action: 'publish' }))}
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
          title={`Publish ${mixes}?`}
          submitLabel="Publish now"
          onSubmit={() => {
            run({ action: 'publish' });
            return null;
          }}
          onClose={() => setDialog(null)}
        >
          {() => (
            <p className="text-text-2">
              Members who subscribe to release e-mails are notified within a minute. You can
              unpublish later, but you can’t unsend e-mails.
            </p>
          )}
        </BulkDialog>
      )}
      {dialog === 'schedule' && (
        <BulkDialog
          title={`Schedule ${mixes}`}
          submitLabel="Schedule"
          onSubmit={schedule}
          onClose={() => setDialog(null)}
        >
          {(error) => (
            <Field
              label="Release date"
              type="datetime-local"
              value={at}
              onChange={(event) => setAt(event.target.value)}
              hint={`${boot.timeZone.replace('_', ' ')} time.`}
              error={error}
            />
          )}
        </BulkDialog>
      )}
      {dialog === 'move' && (
        <BulkDialog
          title={`Change the week of ${mixes}`}
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
