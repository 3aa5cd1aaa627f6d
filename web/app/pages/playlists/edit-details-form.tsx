import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PlaylistDetail } from '#contract/playlists.ts';
import { describePlaylistMutation } from '#web/features/playlists/mutations.ts';
import { PlaylistFields } from '#web/features/playlists/playlist-fields.tsx';
import { usePlaylistForm } from '#web/features/playlists/use-playlist-form.ts';
import { Button } from '#web/ui/button.tsx';

type DescribeFormProps = {
  playlist: Pick<PlaylistDetail, 'id' | 'name' | 'description'>;
  onDone: () => void;
};

/** In the place of the words it changes. Enter saves, Escape leaves them as they are. */
export function DescribeForm({ playlist, onDone }: DescribeFormProps) {
  const { mutate } = useMutation(describePlaylistMutation(useQueryClient(), playlist.id));
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
      aria-label="Rename"
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
