import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PlaylistDetail } from '#contract/playlists.ts';
import { updatePlaylistMutation } from '#web/features/playlists/mutations.ts';
import { PlaylistFields, usePlaylistForm } from '#web/features/playlists/playlist-form.tsx';
import { Button } from '#web/ui/button.tsx';

type EditDetailsFormProps = {
  playlist: Pick<PlaylistDetail, 'id' | 'name' | 'description'>;
  onDone: () => void;
};

/** Replaces the title and description. Enter saves, Escape cancels. */
export function EditDetailsForm({ playlist, onDone }: EditDetailsFormProps) {
  const { mutate } = useMutation(updatePlaylistMutation(useQueryClient(), playlist.id));
  const form = useRef<HTMLFormElement>(null);
  const { submit, errors } = usePlaylistForm(({ name, description = '' }) => {
    mutate({ name, description });
    onDone();
    return Promise.resolve();
  });
  useEffect(() => form.current?.querySelector('input')?.select(), []);
  useEffect(() => {
    const element = form.current;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onDone();
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [onDone]);
  return (
    <form
      ref={form}
      noValidate
      aria-label="Edit details"
      onSubmit={submit}
      className="mt-3 flex max-w-[460px] flex-col gap-4"
    >
      <PlaylistFields errors={errors} name={playlist.name} description={playlist.description} />
      <div className="flex gap-2">
        <Button type="submit">Save</Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
