import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CatalogueDetail } from '#contract/admin/catalogue.ts';
import {
  isReleaseMissed,
  MAX_REASON,
  PutBackForm,
  TakeDownForm,
  type TakeDown,
} from '#contract/admin/take-downs.ts';
import { formatDayAndTime } from '#web/lib/format/format.ts';
import { call } from '#web/lib/api/api.ts';
import { refreshPaths } from '#web/lib/api/api-query.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, TextAreaField } from '#web/ui/forms/field.tsx';
import { Form } from '#web/ui/forms/form.tsx';
import { parseForm, parseValues, readText } from '#web/ui/forms/parse-form.ts';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';

type DialogProps<Props> = Props & { open: boolean; onOpenChange: (isOpen: boolean) => void };

const PATHS = ['/api/admin/tracks', '/api/admin/rights/take-downs', '/api/tracks'];

/** Asks what the complaint says, after it says what will happen. */
function TakeDownDialog({
  track: { id, title, state },
  open,
  onOpenChange,
}: DialogProps<{ track: Pick<CatalogueDetail, 'id' | 'title' | 'state'> }>) {
  const client = useQueryClient();
  const effect =
    state === 'published'
      ? 'At once nobody but staff finds, hears or downloads it any more: on pages, in feeds and in apps. Copies that members saved in the app go with its next contact.'
      : 'It can’t be published or deleted until you put it back.';
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={`Take down “${title}”`}
        description={`${effect} Its files, tracklist and plays are kept, and you can put it back.`}
      >
        <Form
          submitLabel="Take down"
          busyLabel="Taking down…"
          button={{ variant: 'danger' }}
          actions={
            <Button variant="quiet" onClick={() => onOpenChange(false)}>
              Cancel
            </Button>
          }
          parse={(form) => parseForm(TakeDownForm, form)}
          onSubmit={async (body) => {
            await call('POST /api/admin/tracks/:id/take-down', { params: { id }, body });
            onOpenChange(false);
            showToast({ title: 'Mix taken down' });
            await refreshPaths(client, ...PATHS);
          }}
          failed="Couldn’t take it down."
        >
          {(errors) => (
            <>
              <Field
                label="Who complained"
                name="complainant"
                autoComplete="off"
                required
                maxLength={200}
                error={errors.complainant}
              />
              <TextAreaField
                label="What the complaint is about"
                hint="Recorded in the audit log, without who complained."
                name="reason"
                rows={3}
                required
                maxLength={MAX_REASON}
                error={errors.reason}
              />
              <Field
                label="Their e-mail address"
                hint="Optional, so that you can answer."
                name="email"
                type="email"
                autoComplete="off"
                maxLength={254}
                error={errors.email}
              />
              <Field
                label="Their reference"
                hint="Optional: what they call the case."
                name="reference"
                autoComplete="off"
                maxLength={120}
                error={errors.reference}
              />
            </>
          )}
        </Form>
      </DialogContent>
    </Dialog>
  );
}

const WAYS = [
  { value: 'before', label: 'As it was' },
  { value: 'draft', label: 'As a draft' },
] as const;

function describeReturn({ publishAt, at }: TakeDown, as: PutBackForm['as'], now: number): string {
  if (as === 'draft')
    return 'The case is closed, and the mix stays hidden. You can then delete it.';
  if (publishAt === null) return 'It is a draft again.';
  if (isReleaseMissed({ publishAt, at }, now))
    return `Its release on ${formatDayAndTime(publishAt)} has passed, so it becomes a draft: choose a new time.`;
  return publishAt > now
    ? `It is scheduled again for ${formatDayAndTime(publishAt)}.`
    : `Everyone can hear it again at once, with its old date. Nobody gets another e-mail about it.`;
}

/** Closes the case. */
function PutBackDialog({
  trackId,
  takeDown,
  open,
  onOpenChange,
}: DialogProps<{ trackId: string; takeDown: TakeDown }>) {
  const client = useQueryClient();
  const [as, setAs] = useState<PutBackForm['as']>('before');
  const [openedAt] = useState(() => Date.now());
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Put back"
        description="The complaint stays in the list, with how it ended."
      >
        <Form
          submitLabel="Put back"
          busyLabel="Putting back…"
          actions={
            <Button variant="quiet" onClick={() => onOpenChange(false)}>
              Cancel
            </Button>
          }
          parse={(form) =>
            parseValues(PutBackForm, { reason: readText(new FormData(form), 'reason'), as })
          }
          onSubmit={async (body) => {
            const params = { id: trackId };
            await call('POST /api/admin/tracks/:id/put-back', { params, body });
            onOpenChange(false);
            showToast({ title: 'Mix put back' });
            await refreshPaths(client, ...PATHS);
          }}
          failed="Couldn’t put it back."
        >
          {(errors) => (
            <>
              <Segmented
                label="How it comes back"
                className="w-fit"
                options={WAYS}
                value={as}
                onValueChange={setAs}
              />
              <p role="status" className="text-13 text-text-2">
                {describeReturn(takeDown, as, openedAt)}
              </p>
              <TextAreaField
                label="Why"
                hint="Recorded in the audit log."
                name="reason"
                rows={3}
                required
                maxLength={MAX_REASON}
                error={errors.reason}
              />
            </>
          )}
        </Form>
      </DialogContent>
    </Dialog>
  );
}

/** The one that fits the mix. */
export function CaseDialog({ track, ...overlay }: DialogProps<{ track: CatalogueDetail }>) {
  const { id, takeDown } = track;
  return takeDown ? (
    <PutBackDialog trackId={id} takeDown={takeDown} {...overlay} />
  ) : (
    <TakeDownDialog track={track} {...overlay} />
  );
}
