import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { createPlaylistMutation } from './mutations.ts';
import { PlaylistForm } from './playlist-form.tsx';

type NewPlaylistDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title?: string;
  description?: string;
  /** The first tracks of the playlist. */
  trackIds?: string[];
  /** A control that changes `trackIds`. */
  choice?: ReactNode;
  onCreated: (playlist: { id: string; name: string }) => void;
};

export function NewPlaylistDialog({ open, onOpenChange, choice, ...rest }: NewPlaylistDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={rest.title ?? 'New playlist'}
        {...(rest.description && { description: rest.description })}
      >
        {/* Outside the form, which sends only fields of the playlist. */}
        {choice && <div className="mb-5">{choice}</div>}
        <NewPlaylistForm {...rest} />
      </DialogContent>
    </Dialog>
  );
}

type NewPlaylistFormProps = Pick<NewPlaylistDialogProps, 'trackIds' | 'onCreated'>;

function NewPlaylistForm({ trackIds, onCreated }: NewPlaylistFormProps) {
  const client = useQueryClient();
  // One request key per dialog, so that a retry doesn't create a second playlist.
  const [options] = useState(() => createPlaylistMutation(client));
  const { mutateAsync } = useMutation(options);
  return (
    <PlaylistForm
      submitLabel={trackIds ? 'Save playlist' : 'Create playlist'}
      actions={
        <DialogClose asChild>
          <Button variant="quiet">Cancel</Button>
        </DialogClose>
      }
      onSubmit={async (details) => {
        const { id } = await mutateAsync({ ...details, ...(trackIds && { trackIds }) });
        onCreated({ id, name: details.name });
      }}
    />
  );
}
