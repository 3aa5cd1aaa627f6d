import { findOffers } from '#contract/rules/allowed-files.ts';
import { hasFullAccess } from '#contract/rules/access.ts';
import { readSettings } from '../../db/settings.ts';
import { readFactFor } from '../tracks/service.ts';
import type { Part } from './answer.ts';
import { FOLDER } from './browsing.ts';
import type { Calls, CallContext, Reader } from './call.ts';
import { SubsonicError } from './errors.ts';
import { countTracks } from './queries.ts';

/** What this server has beyond the original protocol. Apps may ask without a password. */
export const extensions: Part = {
  openSubsonicExtensions: [
    { name: 'apiKeyAuthentication', versions: [1] },
    { name: 'formPost', versions: [1] },
    { name: 'getPodcastEpisode', versions: [1] },
    { name: 'indexBasedQueue', versions: [1] },
    { name: 'playbackReport', versions: [1] },
    { name: 'songLyrics', versions: [1] },
    { name: 'topSongsByArtistId', versions: [1] },
  ],
};

/** An app can listen, and nothing else: not even an administrator's. */
async function describeUser({ deps, viewer }: Reader): Promise<Part> {
  const now = deps.clock.now();
  const { mp3 } = findOffers(await readSettings(deps.database.db, now), now);
  return {
    username: viewer.user.username,
    scrobblingEnabled: true,
    adminRole: false,
    settingsRole: false,
    downloadRole: mp3 && hasFullAccess(viewer.user, now),
    uploadRole: false,
    playlistRole: true,
    coverArtRole: false,
    commentRole: true,
    podcastRole: false,
    streamRole: true,
    jukeboxRole: false,
    shareRole: false,
    videoConversionRole: false,
    folder: [FOLDER],
  };
}

/** The protocol's user calls only know the user who asks. */
async function getUser(context: CallContext): Promise<Part> {
  const { viewer, params } = context;
  const username = params.find('username') || viewer.user.username;
  const isSelf = [viewer.user.username, viewer.user.email].some(
    (name) => name.toLowerCase() === username.toLowerCase(),
  );
  if (!isSelf) throw new SubsonicError(50);
  return { user: await describeUser(context) };
}

async function getScanStatus({ deps, viewer }: CallContext): Promise<Part> {
  const count = await readFactFor(deps, viewer.user, 'subsonic-count', (visibility) =>
    countTracks(deps.database.db, visibility),
  );
  return { scanStatus: { scanning: false, count } };
}

const refuse = async (): Promise<Part> => {
  throw new SubsonicError(50, 'This server doesn’t offer this.');
};

export const systemCalls: Calls = {
  ping: async () => ({}),
  getLicense: async () => ({ license: { valid: true } }),
  tokenInfo: async ({ viewer }) => ({ tokenInfo: { username: viewer.user.username } }),
  getUser,
  getUsers: async (context) => ({ users: { user: [await describeUser(context)] } }),
  getScanStatus,
  startScan: getScanStatus,
  // Apps ask for these when they start; there are none here.
  getInternetRadioStations: async () => ({ internetRadioStations: { internetRadioStation: [] } }),
  getShares: async () => ({ shares: { share: [] } }),
  getVideos: async () => ({ videos: { video: [] } }),
  getChatMessages: async () => ({ chatMessages: { chatMessage: [] } }),
  // Known calls of the protocol that this server refuses.
  ...Object.fromEntries(
    [
      'addChatMessage',
      'changePassword',
      'createInternetRadioStation',
      'createShare',
      'createUser',
      'deleteInternetRadioStation',
      'deleteShare',
      'deleteUser',
      'getCaptions',
      'getVideoInfo',
      'hls',
      'hls.m3u8',
      'jukeboxControl',
      'updateInternetRadioStation',
      'updateShare',
      'updateUser',
    ].map((name) => [name, refuse]),
  ),
};
