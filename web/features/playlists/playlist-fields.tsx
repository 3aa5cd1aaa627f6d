import type { FieldErrors } from '#web/lib/parse-form.ts';
import { MAX_PLAYLIST_DESCRIPTION, MAX_PLAYLIST_NAME } from '#contract/rules/playlists.ts';
import { Field, FieldFrame, inputClass } from '#web/ui/forms/field.tsx';

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
      <FieldFrame label="Description" hint="If you like." error={errors.description}>
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
