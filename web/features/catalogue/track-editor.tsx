import { useState, type FormEvent, type ReactNode } from 'react';
import type { TrackChange, TrackValues } from '#contract/track-fields.ts';
import { ApiError, describeFailure } from '#web/lib/api.ts';
import { focusFirstError, type FieldErrors } from '#web/lib/parse-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { mergeIncoming, parseChange, toForm, type TrackForm } from './track-draft.ts';
import { TrackFieldsForm } from './track-fields.tsx';

type TrackEditorProps = {
  values: TrackValues;
  timeZone: string;
  genres: readonly string[];
  submitLabel: string;
  /** Gets only the fields that were edited. */
  onSave: (change: TrackChange) => Promise<unknown>;
  /** Extra fields of one page, between the others and the button. */
  children?: (form: TrackForm, onChange: (change: Partial<TrackForm>) => void) => ReactNode;
};

const serverErrors = (error: unknown): FieldErrors =>
  error instanceof ApiError
    ? { ...error.fields, ...(error.fields.at && { release: error.fields.at }) }
    : {};

/** Give it a key with the version: another version needs a new form. */
export function TrackEditor({
  values,
  timeZone,
  genres,
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
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const change = (part: Partial<TrackForm>) => setForm((current) => ({ ...current, ...part }));

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSaving) return;
    const element = event.currentTarget;
    const parsed = parseChange(form, before, timeZone, Date.now());
    setErrors(parsed.errors ?? {});
    setFailure(null);
    if (parsed.errors) return focusFirstError(element, parsed.errors);
    setSaving(true);
    try {
      await onSave(parsed.change);
      setBefore(form);
    } catch (error) {
      setFailure(describeFailure(error, 'Couldn’t save this.'));
      setErrors(serverErrors(error));
    } finally {
      setSaving(false);
    }
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
      {failure && <Notice tone="danger" title={failure} />}
      <TrackFieldsForm
        form={form}
        errors={errors}
        timeZone={timeZone}
        genres={genres}
        onChange={change}
      />
      {children?.(form, change)}
      <Button type="submit" size="lg" isBlock aria-disabled={isSaving}>
        {submitLabel}
      </Button>
    </form>
  );
}
