import { useState, type FormEvent } from 'react';
import { PlaylistForm } from '#contract/playlists.ts';
import { ApiError, describeFailure } from '#web/lib/api.ts';
import { focusFirstError, parseForm, type FieldErrors } from '#web/lib/parse-form.ts';

type Words = { name: string; description?: string | undefined };

/** Checks with the server's own rules before sending, and shows what the server still refuses. */
export function usePlaylistForm(onSubmit: (words: Words) => Promise<unknown>) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    // A form in a dialog that was opened from another form is still inside it to React.
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
