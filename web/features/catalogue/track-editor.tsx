import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { TrackChange, TrackValues } from '#contract/track-fields.ts';
import { siteSettingsQuery } from '#web/features/settings/api.ts';
import { useForm } from '#web/lib/hooks/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
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
  values: TrackValues;
  timeZone: string;
  genres: readonly string[];
  /** What can be heard of the mix; null if nothing can. */
  sound: string | File | null;
  /** Chosen together with the mix, to be checked before it is saved. */
  tracklistFile?: File | null;
  submitLabel: string;
  /** Gets only the fields that were edited. */
  onSave: (change: TrackChange) => Promise<unknown>;
  /** Extra fields of one page, between the others and the button. */
  children?: (form: TrackForm, onChange: (change: Partial<TrackForm>) => void) => ReactNode;
};

/** Give it a key with the version: another version needs a new form. */
export function TrackEditor({
  values,
  timeZone,
  genres,
  sound,
  tracklistFile = null,
  submitLabel,
  onSave,
  children,
}: TrackEditorProps) {
  const [openedAt] = useState(() => Date.now());
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
  const settings = useQuery(siteSettingsQuery).data?.values;
  const rhythm = settings && { ...settings, timeZone };
  const [hasRhythm, setHasRhythm] = useState(rhythm !== undefined);
  if (rhythm && !hasRhythm) {
    setHasRhythm(true);
    setForm(proposeRelease(form, before, rhythm, openedAt));
  }
  const change = (part: Partial<TrackForm>) =>
    setForm((current) =>
      rhythm ? changeForm(current, part, rhythm, Date.now()) : { ...current, ...part },
    );
  const { submit, errors, failure, isSending } = useForm({
    parse: () => parseChange(form, before, timeZone, Date.now()),
    onSubmit: async (edited) => {
      await onSave(edited);
      setBefore(form);
    },
    failed: 'Couldn’t save this.',
    toFieldErrors: ({ at, ...fields }) => ({ ...fields, ...(at && { at, release: at }) }),
  });

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {failure && <Notice tone="danger" title={failure} />}
      <TrackFieldsForm
        form={form}
        errors={errors}
        timeZone={timeZone}
        genres={genres}
        sound={sound}
        tracklistFile={tracklistFile}
        openedAt={openedAt}
        earlyAccessHours={settings?.earlyAccessHours}
        onChange={change}
      />
      {children?.(form, change)}
      <Button type="submit" size="lg" isBlock aria-disabled={isSending}>
        {submitLabel}
      </Button>
    </form>
  );
}
