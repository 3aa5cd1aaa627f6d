import { z } from 'zod';
import { Artist, ArtistFields, ArtistName } from '../artists/artists.ts';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';

export const AdminArtist = Artist.extend({
  /** All tracks that name the artist, released or not. */
  tracks: z.int(),
  /** Artists that were merged into this one: their names and links still lead here. */
  aliases: z.array(ArtistName),
  version: z.int(),
});
export type AdminArtist = z.infer<typeof AdminArtist>;

const ArtistId = z.object({ id: z.string().max(64) });

export const artistAdminRoutes = defineRoutes({
  'GET /api/admin/artists': {
    summary: 'Every artist, newest first.',
    query: PageQuery.extend({ q: z.string().trim().max(100).optional() }),
    response: pageOf(AdminArtist),
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/admin/artists/:id': {
    summary: 'One artist with everything an administrator can edit.',
    params: ArtistId,
    response: AdminArtist,
    errors: ['unauthenticated', 'not_found'],
  },
  'PATCH /api/admin/artists/:id': {
    summary:
      'Change an artist. `version` is the one you edited; the change is rejected if it is no longer current.',
    params: ArtistId,
    body: ArtistFields.partial().extend({ version: z.int().min(0) }),
    response: AdminArtist,
    errors: ['unauthenticated', 'not_found', 'artist_changed', 'artist_name_taken'],
  },
  'PUT /api/admin/artists/:id/picture': {
    summary: 'Set the picture of an artist: raw image bytes, up to 20 MB.',
    params: ArtistId,
    body: 'image',
    response: AdminArtist,
    errors: ['unauthenticated', 'not_found', 'invalid_image', 'disk_full'],
  },
  'DELETE /api/admin/artists/:id/picture': {
    summary: 'Remove the picture of an artist.',
    params: ArtistId,
    response: AdminArtist,
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /api/admin/artists/:id/merge': {
    summary: 'Make this artist another name of the artist `into`, which gets its mixes.',
    params: ArtistId,
    body: z.strictObject({ into: z.string().min(1).max(64) }),
    response: AdminArtist,
    errors: ['unauthenticated', 'not_found', 'artist_changed'],
  },
  'DELETE /api/admin/artists/:id': {
    summary: 'Delete an artist that no mix names, or another name of an artist.',
    params: ArtistId,
    errors: ['unauthenticated', 'not_found', 'artist_in_use'],
  },
});
