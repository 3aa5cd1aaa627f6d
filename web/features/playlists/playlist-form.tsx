import { useState, type FormEvent } from 'react';
import { PlaylistForm } from '#contract/playlists.ts';
import { MAX_PLAYLIST_DESCRIPTION, MAX_PLAYLIST_NAME } from '#contract/rules/playlists.ts';
import { ApiError, describeFailure } from '#web/lib/api.ts';
import { focusFirstError, parseForm, type FieldErrors } from '#web/lib/parse-form.ts';
import { Field, FieldFrame, inputClass } from '#web/ui/forms/field.tsx';

type PlaylistDetails = { name: string; description?: string | undefined };

/** Validates with the server's own rules before sending, and shows the server's errors. */
export function usePlaylistForm(onSubmit: (details: PlaylistDetails) => Promise<unknown>) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    // In React, a form in a dialog is still inside the form that opened it.
    event.stopPropagation();
    if (isSending) return;
    const form = event.currentTarget;
    const parsed = parseForm(PlaylistForm, form);
    setErrors(parsed.errors ?? {});
    setFailure(null);
    if (parsed.errors) return focusFirstError(form, parsed.errors);
    setSending(true);
    try {
      await onSubmit(parsed.data);
    } catch (error) {
      setFailure(describeFailure(error, 'Failed to save the playlist. Please try again.'));
      setErrors(error instanceof ApiError ? error.fields : {});
    } finally {
      setSending(false);
    }
  }

  return { submit, errors, failure, isSending };
}

type PlaylistFieldsProps = {
  errors: FieldErrors;
  name?: string;
  description?: string;
};

export function PlaylistFields({ errors, name = '', description = '' }: PlaylistFieldsProps) {
  return (
    <>
      <Field
        label="Name"
        name="name"
        defaultValue={name}
        maxLength={MAX_PLAYLIST_NAME}
        autoComplete="off"
        required
        error={errors.name}
      />
      <FieldFrame label="Description" hint="Optional" error={errors.description}>
        {(control) => (
          <textarea
            name="description"
            defaultValue={description}
            maxLength={MAX_PLAYLIST_DESCRIPTION}
            rows={3}
            className={`${inputClass} h-auto py-2.5`}
            {...control}
          />
        )}
      </FieldFrame>
    </>
  );
}
