import { z } from 'zod';
import { PageQuery } from './paging.ts';
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

/** What a form asks for; the same sentences answer a request. */
export const PlaylistForm = z.strictObject({ name: Name, description: Description.optional() });

const Id = z.string().min(1).max(64);
const TrackIds = z
  .array(Id)
  .min(1, 'Name at least one track.')
  .max(MAX_PLAYLIST_TRACKS, `A playlist holds at most ${MAX_PLAYLIST_TRACKS} tracks.`);

/** A playlist as its owner sees it in a list. */
export const Playlist = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Everything in it, also what is not published at the moment. */
  trackCount: z.int(),
  /** The first sleeves, at most four. */
  sleeves: z.array(z.object({ weekNumber: z.int(), coverUrl: z.string().nullable() })),
  isShared: z.boolean(),
  updatedAt: z.number(),
  /** Only where a track was asked about. */
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

/** `tracks` holds what the viewer may see, in order; `trackCount` also what they may not. */
const shown = {
  name: z.string(),
  description: z.string(),
  trackCount: z.int(),
  tracks: z.array(Track),
};

export const PlaylistDetail = z.object({
  id: z.string(),
  ...shown,
  /** Moves with every change of the tracks or their order. */
  version: z.int(),
  /** The last part of the link anybody with an account can open; null while it is not shared. */
  shareToken: z.string().nullable(),
});
export type PlaylistDetail = z.infer<typeof PlaylistDetail>;

export const SharedPlaylist = z.object({ ...shown, ownerName: z.string() });
export type SharedPlaylist = z.infer<typeof SharedPlaylist>;

const PlaylistId = z.object({ id: z.string().max(64) });
const Version = z.object({ version: z.int() });

export const playlistRoutes = defineRoutes({
  'GET /api/playlists': {
    summary:
      "The member's playlists, the last changed first; `trackId` asks which hold that track.",
    query: PageQuery.extend({ trackId: Id.optional() }),
    response: z.object({ items: z.array(Playlist), nextCursor: z.string().nullable() }),
    errors: ['unauthenticated'],
  },
  'POST /api/playlists': {
    summary:
      'Make a playlist, empty or of tracks; the same `requestKey` again makes no second one.',
    body: PlaylistForm.extend({
      trackIds: TrackIds.optional(),
      requestKey: z.string().min(8).max(64).optional(),
    }),
    response: z.object({ id: z.string() }),
    errors: ['unauthenticated', 'not_found', 'subscribers_only', 'playlist_limit', 'playlist_full'],
  },
  'GET /api/playlists/:id': {
    summary: "One of the member's playlists with its tracks.",
    params: PlaylistId,
    response: PlaylistDetail,
    errors: ['unauthenticated', 'not_found'],
  },
  'PATCH /api/playlists/:id': {
    summary: 'Rename or describe a playlist.',
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
    summary: 'Bring back a deleted playlist.',
    params: PlaylistId,
    errors: ['unauthenticated', 'not_found', 'playlist_limit'],
  },
  'GET /api/deleted-playlists': {
    summary: 'Playlists that can still be restored, the last deleted first.',
    response: z.object({ items: z.array(DeletedPlaylist), nextCursor: z.null() }),
    errors: ['unauthenticated'],
  },
  'POST /api/playlists/:id/tracks': {
    summary:
      'Add tracks, at the end or behind another one; what is there already keeps its place, and what is not published is left out.',
    params: PlaylistId,
    body: z.strictObject({
      trackIds: TrackIds,
      /** Null: to the front. A track that is no longer there means the end. */
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
    summary: 'Move a track behind another one, or to the front, in the version that is known.',
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
    summary: 'Share a playlist by a link; a link that is there stays as it is.',
    params: PlaylistId,
    response: z.object({ shareToken: z.string() }),
    errors: ['unauthenticated', 'not_found'],
  },
  'DELETE /api/playlists/:id/share': {
    summary: 'End the link at once; sharing again gives another one.',
    params: PlaylistId,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/shared-playlists/:token': {
    summary: 'A playlist that somebody shared.',
    params: z.object({ token: z.string().max(64) }),
    response: SharedPlaylist,
    errors: ['unauthenticated', 'not_found'],
  },
});
