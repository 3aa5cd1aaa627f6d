import { useState, type ReactNode } from 'react';
import type { BulkChange } from '#contract/catalogue.ts';
import { findSlotProblem } from '#contract/track-fields.ts';
import { parseZoned } from '#contract/rules/zoned-time.ts';
import { boot } from '#web/lib/boot.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';

/** Without the ids: those are what is chosen. */
export type BulkWish = BulkChange extends infer C
  ? C extends { ids: string[] }
    ? Omit<C, 'ids'>
    : never
  : never;

type Asked = 'publish' | 'schedule' | 'move' | null;

type AskProps = {
  title: string;
  submitLabel: string;
  /** A sentence about what is wrong, or null when it was done. */
  onSubmit: () => string | null;
  onClose: () => void;
  children: (error: string | undefined) => ReactNode;
};

function Ask({ title, submitLabel, onSubmit, onClose, children }: AskProps) {
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
  /** Some of them were not out before: members are told of those. */
  isNews: boolean;
  onWish: (wish: BulkWish) => void;
  onClear: () => void;
};

/** What can be done with the mixes that are chosen. */
export function BulkBar({ count, areDeleted, isNews, onWish, onClear }: BulkBarProps) {
  const [asked, setAsked] = useState<Asked>(null);
  const [at, setAt] = useState('');
  const [slot, setSlot] = useState(() => ({ week: '', year: String(new Date().getFullYear()) }));
  const wish = (made: BulkWish) => {
    setAsked(null);
    onWish(made);
  };
  const mixes = count === 1 ? '1 mix' : `${count} mixes`;

  function schedule(): string | null {
    const time = parseZoned(at, boot.timeZone);
    if (time === null) return 'Choose a day and a time.';
    if (time < Date.now() - 60_000)
      return 'This time has passed. Choose a later one, or publish now.';
    wish({ action: 'schedule', at: time });
    return null;
  }

  function move(): string | null {
    const [week, year] = [Number(slot.week), Number(slot.year)];
    if (!Number.isInteger(week) || week < 1) return 'Choose a week.';
    const problem = findSlotProblem({ week, year });
    if (problem) return problem;
    wish({ action: 'move', week, year });
    return null;
  }

  return (
    <div
      role="toolbar"
      aria-label="Chosen mixes"
      className="sticky top-[68px] z-20 flex flex-wrap items-center gap-2 rounded-panel bg-overlay p-2.5 shadow-overlay ring-1 ring-line"
    >
      <strong className="px-2 font-semibold">{mixes} chosen</strong>
      {areDeleted ? (
        <Button size="sm" variant="line" onClick={() => wish({ action: 'restore' })}>
          Restore
        </Button>
      ) : (
        <>
          <Button
            size="sm"
            variant="line"
            onClick={() => (isNews ? setAsked('publish') : wish({ action: 'publish' }))}
          >
            Publish
          </Button>
          <Button size="sm" variant="line" onClick={() => wish({ action: 'unpublish' })}>
            Unpublish
          </Button>
          <Button size="sm" variant="line" onClick={() => setAsked('schedule')}>
            Schedule
          </Button>
          <Button size="sm" variant="line" onClick={() => setAsked('move')}>
            Move week
          </Button>
          <Button size="sm" variant="danger" onClick={() => wish({ action: 'delete' })}>
            Delete
          </Button>
        </>
      )}
      <Button size="sm" variant="quiet" className="ml-auto" onClick={onClear}>
        Clear
      </Button>
      {asked === 'publish' && (
        <Ask
          title={`Publish ${mixes}?`}
          submitLabel="Publish now"
          onSubmit={() => {
            wish({ action: 'publish' });
            return null;
          }}
          onClose={() => setAsked(null)}
        >
          {() => (
            <p className="text-text-2">
              Members who want release mails are written to within a minute. Publishing can be
              undone; a message that is out cannot.
            </p>
          )}
        </Ask>
      )}
      {asked === 'schedule' && (
        <Ask
          title={`Schedule ${mixes}`}
          submitLabel="Schedule"
          onSubmit={schedule}
          onClose={() => setAsked(null)}
        >
          {(error) => (
            <Field
              label="Public from"
              type="datetime-local"
              value={at}
              onChange={(event) => setAt(event.target.value)}
              hint={`On the clocks of ${boot.timeZone.replace('_', ' ')}.`}
              error={error}
            />
          )}
        </Ask>
      )}
      {asked === 'move' && (
        <Ask
          title={`Move ${mixes}`}
          submitLabel="Move"
          onSubmit={move}
          onClose={() => setAsked(null)}
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
        </Ask>
      )}
    </div>
  );
}
