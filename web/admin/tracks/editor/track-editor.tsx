import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { TrackChange, TrackValues } from '#contract/track-fields.ts';
import { Form } from '#web/ui/forms/form.tsx';
import { useUnsavedChanges } from '#web/ui/forms/unsaved-changes.tsx';
import { catalogueFacetsQuery } from './api.ts';
import {
  changeForm,
  mergeIncoming,
  parseChange,
  proposeRelease,
  toForm,
  type TrackForm,
} from './track-draft.ts';
import { TrackFieldsForm } from './track-fields.tsx';

type TrackEditorProps = {
  /** Of the form, for changes that are kept on this device. */
  name: string;
  values: TrackValues;
  timeZone: string;
  genres: readonly string[];
  /** What can be heard of the mix; null if nothing can. */
  sound: string | File | null;
  /** Chosen together with the mix, to be checked before it is saved. */
  tracklistFile?: File | null;
  submitLabel: string;
  /** Seconds of audio; null as long as nobody knows. */
  duration: number | null;
  isTakenDown?: boolean;
  /** Gets only the fields that were edited. Returns what is saved now, unless the form closes. */
  onSave: (change: TrackChange) => Promise<TrackValues | void>;
  /** What Back leaves, if it isn't the page. */
  onBack?: () => void;
  /** Extra fields of one page, between the others and the button. */
  children?: (form: TrackForm, onChange: (change: Partial<TrackForm>) => void) => ReactNode;
};

function formNow(saved: TrackValues, timeZone: string): { next: TrackForm; savedAt: number } {
  const savedAt = Date.now();
  return { next: toForm(saved, timeZone, savedAt), savedAt };
}

/** While it is open, new values fill the fields that nobody has edited. */
export function TrackEditor({
  name,
  values,
  timeZone,
  genres,
  sound,
  duration,
  isTakenDown = false,
  tracklistFile = null,
  submitLabel,
  onSave,
  onBack,
  children,
}: TrackEditorProps) {
  const [openedAt, setOpenedAt] = useState(() => Date.now());
  const incoming = toForm(values, timeZone, openedAt);
  const incomingText = JSON.stringify(incoming);
  const [before, setBefore] = useState(incoming);
  const [form, setForm] = useState(before);
  const [seenText, setSeenText] = useState(incomingText);
  if (seenText !== incomingText) {
    setSeenText(incomingText);
    setBefore(incoming);
    setForm(mergeIncoming(form, before, incoming));
  }
  const releases = useQuery(catalogueFacetsQuery).data?.rhythm;
  const rhythm = releases && { ...releases, timeZone };
  const [hasRhythm, setHasRhythm] = useState(rhythm !== undefined);
  if (rhythm && !hasRhythm) {
    setHasRhythm(true);
    setForm(proposeRelease(form, before, rhythm, openedAt));
  }
  const change = (part: Partial<TrackForm>) =>
    setForm((current) =>
      rhythm ? changeForm(current, part, rhythm, Date.now()) : { ...current, ...part },
    );
  async function save(edited: TrackChange): Promise<void> {
    const saved = await onSave(edited);
    unsaved.clear();
    if (!saved) return setBefore(form);
    const { next, savedAt } = formNow(saved, timeZone);
    setOpenedAt(savedAt);
    setSeenText(JSON.stringify(next));
    setBefore(next);
    // Someone may have typed on while it was being saved.
    setForm((current) => mergeIncoming(current, form, next));
  }
  const unsaved = useUnsavedChanges({ name, form, before, onRestore: change, onBack });

  return (
    <Form
      notice={unsaved.notice}
      submitLabel={submitLabel}
      button={{ size: 'lg', isBlock: true }}
      parse={() => parseChange(form, before, timeZone, Date.now())}
      onSubmit={save}
      failed="Couldn’t save this."
      toFieldErrors={({ at, ...fields }) => ({ ...fields, ...(at && { at, release: at }) })}
    >
      {(errors) => (
        <>
          <TrackFieldsForm
            form={form}
            errors={errors}
            timeZone={timeZone}
            genres={genres}
            sound={sound}
            duration={duration}
            tracklistFile={tracklistFile}
            openedAt={openedAt}
            isTakenDown={isTakenDown}
            earlyAccessHours={releases?.earlyAccessHours}
            onChange={change}
          />
          {children?.(form, change)}
        </>
      )}
    </Form>
  );
}
