import { PlaylistForm } from '#contract/playlists.ts';
import { MAX_PLAYLIST_DESCRIPTION, MAX_PLAYLIST_NAME } from '#contract/rules/playlists.ts';
import { parseForm, type FieldErrors } from '#web/ui/forms/parse-form.ts';
import { useForm } from '#web/ui/forms/use-form.ts';
import { Field, TextAreaField } from '#web/ui/forms/field.tsx';

type PlaylistDetails = { name: string; description?: string | undefined };

/** Validates with the server's own rules before sending, and shows the server's errors. */
export const usePlaylistForm = (onSubmit: (details: PlaylistDetails) => Promise<unknown>) =>
  useForm({
    parse: (form) => parseForm(PlaylistForm, form),
    onSubmit,
    failed: 'Failed to save the playlist. Please try again.',
  });

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
      <TextAreaField
        label="Description"
        hint="Optional"
        name="description"
        defaultValue={description}
        maxLength={MAX_PLAYLIST_DESCRIPTION}
        rows={3}
        error={errors.description}
      />
    </>
  );
}
