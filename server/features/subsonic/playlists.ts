import {
  MAX_PLAYLIST_DESCRIPTION,
  MAX_PLAYLIST_NAME,
  MAX_PLAYLIST_TRACKS,
} from '#contract/rules/playlists.ts';
import { AppError } from '../../http/route/app-error.ts';
import {
  createPlaylist,
  deletePlaylist,
  editPlaylist,
  getPlaylist,
  listPlaylistFacts,
  type PlaylistFacts,
} from '../playlists/service.ts';
import type { Part } from './answer.ts';
import type { CallContext, Calls, Reader } from './call.ts';
import { toIsoTime } from './call.ts';
import { SubsonicError } from './errors.ts';
import { findLength, loadItems, toSong, type TrackItem } from './track-items.ts';

const sumLengths = (items: readonly TrackItem[]): number =>
  Math.round(items.reduce((sum, item) => sum + findLength(item), 0));

const toPlaylist = (
  { viewer }: Reader,
  { id, name, description, isShared, createdAt, updatedAt }: PlaylistFacts,
  items: readonly TrackItem[],
): Part => ({
  id,
  name,
  comment: description,
  owner: viewer.user.username,
  public: isShared,
  songCount: items.length,
  duration: sumLengths(items),
  created: toIsoTime(createdAt),
  changed: toIsoTime(updatedAt),
  coverArt: items[0]?.track.id,
  readonly: false,
});

async function getPlaylists(context: CallContext): Promise<Part> {
  const { deps, viewer, params } = context;
  const username = params.find('username');
  if (username && username.toLowerCase() !== viewer.user.username.toLowerCase())
    throw new SubsonicError(50);
  const lists = await listPlaylistFacts(deps, viewer);
  const items = await loadItems(context, [...new Set(lists.flatMap(({ trackIds }) => trackIds))]);
  const itemOf = new Map(items.map((item) => [item.track.id, item]));
  const playlist = lists.map((facts) =>
    toPlaylist(
      context,
      facts,
      facts.trackIds.flatMap((id) => itemOf.get(id) ?? []),
    ),
  );
  return { playlists: { playlist } };
}

async function loadPlaylist(context: CallContext, id: string): Promise<Part> {
  const [facts] = await listPlaylistFacts(context.deps, context.viewer, id);
  if (!facts) throw new SubsonicError(70);
  const items = await loadItems(context, facts.trackIds);
  const entry = items.map((item) => toSong(context, item));
  return { playlist: { ...toPlaylist(context, facts, items), entry } };
}

/** One line, as in the site's own form. */
function readName(name: string): string {
  const trimmed = name.replaceAll(/\s+/g, ' ').trim();
  if (trimmed === '' || trimmed.length > MAX_PLAYLIST_NAME || /\p{Cc}/u.test(trimmed))
    throw new SubsonicError(
      10,
      `Give the playlist a name of at most ${MAX_PLAYLIST_NAME} characters.`,
    );
  return trimmed;
}

function readComment(comment: string): string {
  if (comment.length > MAX_PLAYLIST_DESCRIPTION)
    throw new SubsonicError(
      10,
      `Use at most ${MAX_PLAYLIST_DESCRIPTION} characters for the comment.`,
    );
  return comment.trim();
}

/** Creates a playlist, or replaces the mixes of one. */
async function create(context: CallContext): Promise<Part> {
  const { deps, viewer, params } = context;
  const trackIds = params.ids('songId');
  const name = params.find('name');
  const known = params.find('playlistId');
  if (known) {
    const change = name ? { name: readName(name) } : {};
    await editPlaylist(deps, viewer, known, { ...change, replaceWith: trackIds });
    return loadPlaylist(context, known);
  }
  if (trackIds.length > MAX_PLAYLIST_TRACKS) throw new AppError('playlist_full');
  const { id } = await createPlaylist(deps, viewer, {
    name: readName(params.get('name')),
    trackIds,
  });
  return loadPlaylist(context, id);
}

/** Positions count among the mixes that the app was shown. */
async function listRemoved({ deps, viewer, params }: CallContext, id: string): Promise<string[]> {
  const positions = params.all('songIndexToRemove');
  if (positions.length === 0) return [];
  const { tracks } = await getPlaylist(deps, viewer, id);
  return positions.map((text) => {
    const track = /^\d{1,6}$/.test(text) ? tracks[Number(text)] : undefined;
    if (!track) throw new SubsonicError(70, 'The playlist has no mix at this position.');
    return track.id;
  });
}

async function update(context: CallContext): Promise<Part> {
  const { deps, viewer, params } = context;
  const id = params.id('playlistId');
  const name = params.find('name');
  const comment = params.find('comment');
  const isShared = params.flag('public');
  await editPlaylist(deps, viewer, id, {
    ...(name && { name: readName(name) }),
    ...(comment !== undefined && { description: readComment(comment) }),
    ...(isShared !== undefined && { isShared }),
    remove: await listRemoved(context, id),
    add: params.ids('songIdToAdd'),
  });
  return {};
}

export const playlistCalls: Calls = {
  getPlaylists,
  getPlaylist: async (context) => loadPlaylist(context, context.params.id()),
  createPlaylist: create,
  updatePlaylist: update,
  deletePlaylist: async ({ deps, viewer, params }) => {
    await deletePlaylist(deps, viewer, params.id());
    return {};
  },
};
