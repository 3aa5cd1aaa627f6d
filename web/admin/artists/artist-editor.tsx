import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminArtist } from '#contract/admin/artists.ts';
import { ArtistFields } from '#contract/artists/artists.ts';
import { Form } from '#web/ui/forms/form.tsx';
import { parseValues, type FieldErrors } from '#web/ui/forms/parse-form.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Field, TextAreaField } from '#web/ui/forms/field.tsx';
import { useUnsavedChanges } from '#web/ui/forms/unsaved-changes.tsx';
import { adminArtistQuery, refreshArtists, saveArtist } from './api.ts';

const toForm = ({ name, about, links }: AdminArtist) => ({ name, about, links: links.join('\n') });

const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Give it a key with the version: another version needs a new form. */
export function ArtistEditor({ artist }: { artist: AdminArtist }) {
  const client = useQueryClient();
  const before = toForm(artist);
  const [form, setForm] = useState(before);
  const bind = (name: keyof typeof form, errors: FieldErrors) => ({
    name,
    value: form[name],
    error: errors[name],
    onChange: (event: { target: { value: string } }) =>
      setForm({ ...form, [name]: event.target.value }),
  });
  const unsaved = useUnsavedChanges({
    name: `artist/${artist.id}`,
    form,
    before,
    onRestore: (changes) => setForm({ ...form, ...changes }),
  });
  return (
    <Form
      notice={unsaved.notice}
      submitLabel="Save changes"
      busyLabel="Saving…"
      button={{ className: 'self-start' }}
      parse={() => parseValues(ArtistFields, { ...form, links: splitLines(form.links) })}
      onSubmit={async (fields) => {
        const saved = await saveArtist(artist.id, { ...fields, version: artist.version });
        unsaved.clear();
        setForm(toForm(saved));
        client.setQueryData(adminArtistQuery(artist.id).queryKey, saved);
        showToast({ title: 'Artist saved' });
        await refreshArtists(client);
      }}
      failed="Couldn’t save this."
      toFieldErrors={(fields) =>
        Object.fromEntries(
          Object.entries(fields).map(([name, message]) => [name.split('.')[0] ?? name, message]),
        )
      }
    >
      {(errors) => (
        <>
          <Field
            label="Name"
            hint="A new name appears on every mix, and in new downloads."
            maxLength={80}
            autoComplete="off"
            {...bind('name', errors)}
          />
          <TextAreaField
            label="About"
            className="min-h-28 leading-snug"
            {...bind('about', errors)}
          />
          <TextAreaField
            label="Links"
            hint="One address per line, such as https://soundcloud.com/name."
            rows={4}
            spellCheck={false}
            autoCapitalize="none"
            {...bind('links', errors)}
          />
        </>
      )}
    </Form>
  );
}
