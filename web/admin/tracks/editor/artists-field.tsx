import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import type { TrackArtists } from '#contract/artists/artists.ts';
import { artistChoicesQuery } from '#web/admin/artists/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Plus, X } from '#web/ui/icons.ts';

type ArtistsFieldProps = {
  artists: TrackArtists;
  error: string | undefined;
  onChange: (artists: TrackArtists) => void;
  /** Another way to begin, beside the first one. */
  more?: ReactNode;
};

/** The first has the name of the whole field, where the form puts its error. */
const fieldName = (index: number): string => (index === 0 ? 'artists' : `artist-${index + 1}`);

/** One line for each artist, or only a way to begin: most sites have one DJ and need none. */
export function ArtistsField({ artists, error, onChange, more }: ArtistsFieldProps) {
  const list = useRef<HTMLFieldSetElement>(null);
  const listId = useId();
  const [typed, setTyped] = useState('');
  const { data: choices } = useQuery({
    ...artistChoicesQuery(useDeferredValue(typed.trim())),
    enabled: artists.length > 0,
  });
  const focus = (selector: string) => list.current?.querySelector<HTMLElement>(selector)?.focus();
  function add() {
    flushSync(() => onChange([...artists, { name: '' }]));
    focus(`[name=${fieldName(artists.length)}]`);
  }
  function remove(index: number) {
    flushSync(() => onChange(artists.toSpliced(index, 1)));
    focus('[data-add]');
  }
  /** Another name is another artist. */
  function rename(index: number, name: string) {
    setTyped(name);
    onChange(artists.with(index, { name }));
  }
  return (
    <fieldset ref={list} className="grid min-w-0 gap-3">
      <legend className="sr-only">Artists</legend>
      {artists.map((artist, index) => (
        <div key={index} className="flex items-start gap-2">
          <Field
            label={index === 0 ? 'Artist' : `Artist ${index + 1}`}
            name={fieldName(index)}
            list={listId}
            maxLength={80}
            autoComplete="off"
            value={artist.name}
            error={index === artists.length - 1 ? error : undefined}
            onChange={(event) => rename(index, event.target.value)}
          />
          <IconButton
            label={artist.name ? `Remove ${artist.name}` : 'Remove this artist'}
            className="mt-[26px]"
            onClick={() => remove(index)}
          >
            <X />
          </IconButton>
        </div>
      ))}
      {artists.length > 0 && (
        <datalist id={listId}>
          {choices?.items.map(({ id, name }) => (
            <option key={id} value={name}>
              {name}
            </option>
          ))}
        </datalist>
      )}
      <div className="-mx-3 flex flex-wrap items-center gap-x-1">
        <Button data-add size="sm" variant="quiet" onClick={add}>
          <Plus />
          {artists.length === 0 ? 'Add a guest DJ' : 'Add another artist'}
        </Button>
        {more}
        {choices && choices.items.length > 0 && (
          <Link
            href="/admin/artists"
            className="px-3 text-13 text-text-2 underline underline-offset-4"
          >
            Edit artists
          </Link>
        )}
      </div>
    </fieldset>
  );
}
