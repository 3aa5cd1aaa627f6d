import type { ComponentProps } from 'react';
import { PlaylistForm as PlaylistFields } from '#contract/playlists.ts';
import { MAX_PLAYLIST_DESCRIPTION, MAX_PLAYLIST_NAME } from '#contract/rules/playlists.ts';
import { Field, TextAreaField } from '#web/ui/forms/field.tsx';
import { Form } from '#web/ui/forms/form.tsx';
import { parseForm } from '#web/ui/forms/parse-form.ts';

type PlaylistDetails = { name: string; description?: string | undefined };

type PlaylistFormProps = Omit<
  ComponentProps<typeof Form<PlaylistDetails>>,
  'parse' | 'failed' | 'children'
> & { name?: string; description?: string };

/** Validates with the server's own rules before sending, and shows the server's errors. */
export const PlaylistForm = ({ name = '', description = '', ...form }: PlaylistFormProps) => (
  <Form
    {...form}
    parse={(element) => parseForm(PlaylistFields, element)}
    failed="Failed to save the playlist. Please try again."
  >
    {(errors) => (
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
    )}
  </Form>
);
