import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { AdminArtist } from '#contract/admin/artists.ts';
import { adminArtistQuery, refreshArtists, removePicture, uploadPicture } from './api.ts';
import { ArtistEditor } from './artist-editor.tsx';
import { describeArtist } from './artist-list.tsx';
import { ArtistTools } from './artist-tools.tsx';
import { PictureField } from '#web/admin/tracks/editor/cover-field.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import { FormPageSkeleton, LeadSkeleton } from '../admin-skeletons.tsx';

function ArtistForms({ artist }: { artist: AdminArtist }) {
  const client = useQueryClient();
  async function showSaved(saved: AdminArtist) {
    client.setQueryData(adminArtistQuery(artist.id).queryKey, saved);
    await refreshArtists(client);
  }
  const { id, name, pictureUrl } = artist;
  return (
    <div className="grid items-start gap-x-14 gap-y-10 *:min-w-0 @4xl/content:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]">
      <div className="flex flex-col gap-6">
        <PictureField
          label="Picture"
          inputLabel="Picture"
          picture={
            <Avatar user={{ username: name, avatarUrl: pictureUrl }} className="size-24 text-28" />
          }
          hasPicture={pictureUrl !== null}
          onPick={async (file) => showSaved(await uploadPicture(id, file))}
          onRemove={async () => showSaved(await removePicture(id))}
        />
        <ArtistEditor key={`${id}-${artist.version}`} artist={artist} />
      </div>
      <div className="flex flex-col gap-7">
        {artist.tracks > 0 && (
          <LinkButton href={`/artist/${id}`} variant="line" className="self-start">
            Open the public page
          </LinkButton>
        )}
        <ArtistTools artist={artist} />
      </div>
    </div>
  );
}

export function Page() {
  const { id = '' } = useParams();
  const query = useQuery(adminArtistQuery(id));
  const { data: artist, error } = query;
  return (
    <AdminFrame
      title="Edit artist"
      lead={artist ? `${artist.name}: ${describeArtist(artist)}` : !error && <LeadSkeleton />}
    >
      <Loaded
        query={query}
        failed="Couldn’t load this artist."
        missing={{
          title: 'Artist not found',
          text: 'There’s no artist with this ID. It may have been merged into another one.',
          link: { href: '/admin/artists', label: 'All artists' },
        }}
        skeleton={<FormPageSkeleton />}
      >
        {(loaded) => <ArtistForms key={loaded.id} artist={loaded} />}
      </Loaded>
    </AdminFrame>
  );
}
