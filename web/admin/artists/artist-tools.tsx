import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { AdminArtist } from '#contract/admin/artists.ts';
import { describeFailure } from '#web/lib/api/api.ts';
import { readText } from '#web/ui/forms/parse-form.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { SelectField } from '#web/ui/forms/select-field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { X } from '#web/ui/icons.ts';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { artistChoicesQuery, deleteArtist, mergeArtist, refreshArtists } from './api.ts';

type Tool = 'merge' | 'delete';

/** Other names, merging and deleting. */
export function ArtistTools({ artist }: { artist: AdminArtist }) {
  const [tool, setTool] = useState<Tool | null>(null);
  const close = () => setTool(null);
  return (
    <div className="flex flex-col gap-7">
      {artist.aliases.length > 0 && <Aliases artist={artist} />}
      <ToolSection
        title="The same artist twice?"
        text="Merging moves the mixes to the other artist. This name and its address then lead there."
      >
        <Button variant="line" onClick={() => setTool('merge')}>
          Merge into another artist
        </Button>
      </ToolSection>
      <ToolSection
        title="Delete"
        text={
          artist.tracks > 0
            ? 'You can delete an artist once no mix names them. Deleted mixes count for as long as they can be restored.'
            : 'No mix names this artist.'
        }
      >
        <Button
          variant="danger"
          aria-disabled={artist.tracks > 0}
          onClick={() => artist.tracks === 0 && setTool('delete')}
        >
          Delete artist
        </Button>
      </ToolSection>
      {tool === 'merge' && <MergeDialog artist={artist} onClose={close} />}
      {tool === 'delete' && <DeleteDialog artist={artist} onClose={close} />}
    </div>
  );
}

type ToolSectionProps = { title: string; text: string; children: ReactNode };

const ToolSection = ({ title, text, children }: ToolSectionProps) => (
  <section className="flex flex-col items-start gap-2">
    <h2 className="type-section">{title}</h2>
    <p className="max-w-[52ch] text-text-2">{text}</p>
    {children}
  </section>
);

function Aliases({ artist }: { artist: AdminArtist }) {
  const client = useQueryClient();
  async function forget({ id, name }: AdminArtist['aliases'][number]) {
    try {
      await deleteArtist(id);
      showToast({ title: `“${name}” no longer leads to this artist` });
    } catch (error) {
      const description = describeFailure(error, 'Couldn’t remove this name.');
      showToast({ title: 'Error', description, variant: 'destructive' });
    }
    await refreshArtists(client);
  }
  return (
    <ToolSection
      title="Other names"
      text="A mix that names one of these is credited to this artist."
    >
      <ul className="w-full">
        {artist.aliases.map((alias) => (
          <li
            key={alias.id}
            className="flex min-h-11 items-center justify-between gap-3 border-t border-line first:border-0"
          >
            <span className="truncate">{alias.name}</span>
            <IconButton label={`Remove the name ${alias.name}`} onClick={() => void forget(alias)}>
              <X />
            </IconButton>
          </li>
        ))}
      </ul>
    </ToolSection>
  );
}

type DialogProps = { artist: AdminArtist; onClose: () => void };

/** With more than these, searching is quicker than scrolling. */
const MANY = 12;

function MergeDialog({ artist, onClose }: DialogProps) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const { data } = useQuery(artistChoicesQuery(useDeferredValue(typed.trim())));
  const others = data?.items.filter(({ id }) => id !== artist.id) ?? [];
  return (
    <ReasonDialog
      title="Merge artists"
      description={`All mixes by “${artist.name}” move to the artist you choose. This can’t be undone.`}
      confirmLabel="Merge"
      failed="Couldn’t merge the artists."
      onConfirm={async (_reason, form) => {
        const merged = await mergeArtist(artist.id, readText(form, 'into'));
        if (!merged) return;
        showToast({ title: `Merged into “${merged.name}”` });
        navigate(`/admin/artists/${merged.id}`, { replace: true });
        await refreshArtists(client);
      }}
      onClose={onClose}
    >
      {(typed !== '' || others.length > MANY) && (
        <Field
          label="Find an artist"
          value={typed}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <SelectField
        label="Merge into"
        hint={others.length === 0 && 'There’s no such artist.'}
        name="into"
        options={others.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </ReasonDialog>
  );
}

function DeleteDialog({ artist, onClose }: DialogProps) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return (
    <ReasonDialog
      title="Delete artist"
      description={`“${artist.name}” is deleted with its text, links and picture.`}
      confirmLabel="Delete"
      isDestructive
      failed="Couldn’t delete the artist."
      onConfirm={async () => {
        await deleteArtist(artist.id);
        showToast({ title: 'Artist deleted' });
        navigate('/admin/artists', { replace: true });
        await refreshArtists(client);
      }}
      onClose={onClose}
    />
  );
}
