import { z } from 'zod';
import { PageQuery, pageOf, shortListOf } from './paging.ts';
import { defineRoutes } from './route.ts';
import {
  MAX_PLAYLIST_DESCRIPTION,
  MAX_PLAYLIST_NAME,
  MAX_PLAYLIST_TRACKS,
} from './rules/playlists.ts';
import { Track } from './tracks.ts';

const Name = z
  .string()
  .trim()
  .min(1, 'Give the playlist a name.')
  .max(MAX_PLAYLIST_NAME, `Use at most ${MAX_PLAYLIST_NAME} characters.`);
const Description = z
  .string()
  .trim()
  .max(MAX_PLAYLIST_DESCRIPTION, `Use at most ${MAX_PLAYLIST_DESCRIPTION} characters.`);

export const PlaylistForm = z.strictObject({ name: Name, description: Description.optional() });

const Id = z.string().min(1).max(64);
const TrackIds = z
  .array(Id)
  .min(1, 'Choose at least one mix.')
  .max(MAX_PLAYLIST_TRACKS, `Playlists can hold up to ${MAX_PLAYLIST_TRACKS} mixes.`);

/** A playlist in its owner's list. */
export const Playlist = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Includes tracks that are currently unpublished. */
  trackCount: z.int(),
  /** The sleeves of its first tracks, at most four. */
  sleeves: z.array(
    z.object({ id: z.string(), weekNumber: z.int(), coverUrl: z.string().nullable() }),
  ),
  isShared: z.boolean(),
  updatedAt: z.number(),
  /** Only when the request has a `trackId`. */
  hasTrack: z.boolean().optional(),
});
export type Playlist = z.infer<typeof Playlist>;

export const DeletedPlaylist = z.object({
  id: z.string(),
  name: z.string(),
  trackCount: z.int(),
  deletedAt: z.number(),
});
export type DeletedPlaylist = z.infer<typeof DeletedPlaylist>;

/** `tracks` are the ones the viewer may see; `trackCount` includes the others. */
const details = {
  name: z.string(),
  description: z.string(),
  trackCount: z.int(),
  tracks: z.array(Track),
};

export const PlaylistDetail = z.object({
  id: z.string(),
  ...details,
  /** Increases with every change of the tracks or their order. */
  version: z.int(),
  /** The last part of the share link; null when it is not shared. */
  shareToken: z.string().nullable(),
});
export type PlaylistDetail = z.infer<typeof PlaylistDetail>;

export const SharedPlaylist = z.object({ ...details, ownerName: z.string() });
export type SharedPlaylist = z.infer<typeof SharedPlaylist>;

const PlaylistId = z.object({ id: z.string().max(64) });
const Version = z.object({ version: z.int() });

export const playlistRoutes = defineRoutes({
  'GET /api/playlists': {
    summary:
      'The user’s playlists, most recently edited first; `trackId` asks which contain that track.',
    query: PageQuery.extend({ trackId: Id.optional() }),
    response: pageOf(Playlist),
    errors: ['unauthenticated'],
  },
  'POST /api/playlists': {
    summary: 'Create a playlist, empty or with tracks; the same `requestKey` creates it only once.',
    body: PlaylistForm.extend({
      trackIds: TrackIds.optional(),
      requestKey: z.string().min(8).max(64).optional(),
    }),
    response: z.object({ id: z.string() }),
    errors: ['unauthenticated', 'not_found', 'subscribers_only', 'playlist_limit', 'playlist_full'],
  },
  'GET /api/playlists/:id': {
    summary: 'One of the user’s playlists, with its tracks.',
    params: PlaylistId,
    response: PlaylistDetail,
    errors: ['unauthenticated', 'not_found'],
  },
  'PATCH /api/playlists/:id': {
    summary: 'Change a playlist’s name or description.',
    params: PlaylistId,
    body: PlaylistForm.partial(),
    errors: ['unauthenticated', 'not_found'],
  },
  'DELETE /api/playlists/:id': {
    summary: 'Delete a playlist; it can be restored for seven days.',
    params: PlaylistId,
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /api/playlists/:id/restore': {
    summary: 'Restore a deleted playlist.',
    params: PlaylistId,
    errors: ['unauthenticated', 'not_found', 'playlist_limit'],
  },
  'GET /api/deleted-playlists': {
    summary: 'Playlists that can still be restored, most recently deleted first.',
    response: shortListOf(DeletedPlaylist),
    errors: ['unauthenticated'],
  },
  'POST /api/playlists/:id/tracks': {
    summary:
      'Add tracks, at the end or after another one; tracks it already contains stay where they are, and unpublished ones are left out.',
    params: PlaylistId,
    body: z.strictObject({
      trackIds: TrackIds,
      /** Null: at the front. If that track is gone: at the end. */
      after: Id.nullable().optional(),
    }),
    response: Version.extend({ added: z.array(z.string()) }),
    errors: ['unauthenticated', 'not_found', 'subscribers_only', 'playlist_full'],
  },
  'DELETE /api/playlists/:id/tracks': {
    summary: 'Remove a track; removing it again changes nothing.',
    params: PlaylistId,
    query: z.strictObject({ trackId: Id }),
    response: Version,
    errors: ['unauthenticated', 'not_found'],
  },
  'PUT /api/playlists/:id/order': {
    summary: 'Move a track after another one, or to the front, in the given version.',
    params: PlaylistId,
    body: z.strictObject({
      version: z.int().min(0),
      trackId: Id,
      after: Id.nullable(),
    }),
    response: Version,
    errors: ['unauthenticated', 'not_found', 'playlist_changed'],
  },
  'PUT /api/playlists/:id/share': {
    summary: 'Share a playlist with a link; an existing link stays the same.',
    params: PlaylistId,
    response: z.object({ shareToken: z.string() }),
    errors: ['unauthenticated', 'not_found'],
  },
  'DELETE /api/playlists/:id/share': {
    summary: 'Turn the link off immediately; sharing again creates a new one.',
    params: PlaylistId,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/shared-playlists/:token': {
    summary: 'A shared playlist.',
    params: z.object({ token: z.string().max(64) }),
    response: SharedPlaylist,
    errors: ['unauthenticated', 'not_found'],
  },
});
