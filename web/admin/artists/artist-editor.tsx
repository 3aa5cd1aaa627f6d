import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminArtist } from '#contract/admin/artists.ts';
import { ArtistFields } from '#contract/artists/artists.ts';
import { useForm } from '#web/ui/forms/use-form.ts';
import { parseValues } from '#web/ui/forms/parse-form.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, TextAreaField } from '#web/ui/forms/field.tsx';
import { useUnsavedChanges } from '#web/ui/forms/unsaved-changes.tsx';
import { Notice } from '#web/ui/notice.tsx';
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
  const { submit, errors, failure, isSending } = useForm({
    parse: () => parseValues(ArtistFields, { ...form, links: splitLines(form.links) }),
    onSubmit: async (fields) => {
      const saved = await saveArtist(artist.id, { ...fields, version: artist.version });
      unsaved.clear();
      setForm(toForm(saved));
      client.setQueryData(adminArtistQuery(artist.id).queryKey, saved);
      showToast({ title: 'Artist saved' });
      await refreshArtists(client);
    },
    failed: 'Couldn’t save this.',
    toFieldErrors: (fields) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, message]) => [name.split('.')[0] ?? name, message]),
      ),
  });
  const bind = (name: keyof typeof form) => ({
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
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {unsaved.notice}
      {failure && <Notice tone="danger" title={failure} />}
      <Field
        label="Name"
        hint="A new name appears on every mix, and in new downloads."
        maxLength={80}
        autoComplete="off"
        {...bind('name')}
      />
      <TextAreaField label="About" className="min-h-28 leading-snug" {...bind('about')} />
      <TextAreaField
        label="Links"
        hint="One address per line, such as https://soundcloud.com/name."
        rows={4}
        spellCheck={false}
        autoCapitalize="none"
        {...bind('links')}
      />
      <Button type="submit" className="self-start" aria-disabled={isSending}>
        {isSending ? 'Saving…' : 'Save changes'}
      </Button>
    </form>
  );
}
