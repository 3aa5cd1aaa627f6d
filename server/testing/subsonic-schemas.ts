import { z } from 'zod';

/**
 * The answers of the OpenSubsonic protocol as JSON, from its published description: which fields there
 * are, which of them are required, and their types. A field that it doesn't know is an error.
 */
const text = z.string();
const int = z.int();
const yes = z.boolean();
const time = z.iso.datetime();
const maybe = <T extends z.ZodType>(schema: T) => schema.optional();
const all = <T extends z.ZodType>(schema: T) => z.array(schema);

const ItemGenre = z.strictObject({ name: text });
const ItemDate = z.strictObject({ year: maybe(int), month: maybe(int), day: maybe(int) });

const Artist = z.strictObject({
  id: text,
  name: text,
  artistImageUrl: maybe(text),
  starred: maybe(time),
  userRating: maybe(int),
  averageRating: maybe(z.number()),
});

const ArtistID3 = z.strictObject({
  id: text,
  name: text,
  coverArt: maybe(text),
  artistImageUrl: maybe(text),
  albumCount: maybe(int),
  starred: maybe(time),
  musicBrainzId: maybe(text),
  sortName: maybe(text),
  roles: maybe(all(text)),
});

const Child = z.strictObject({
  id: text,
  parent: maybe(text),
  isDir: yes,
  title: text,
  album: maybe(text),
  artist: maybe(text),
  track: maybe(int),
  year: maybe(int),
  genre: maybe(text),
  coverArt: maybe(text),
  size: maybe(int),
  contentType: maybe(text),
  suffix: maybe(text),
  duration: maybe(int),
  bitRate: maybe(int),
  path: maybe(text),
  isVideo: maybe(yes),
  userRating: maybe(int),
  playCount: maybe(int),
  discNumber: maybe(int),
  created: maybe(time),
  starred: maybe(time),
  albumId: maybe(text),
  artistId: maybe(text),
  type: maybe(z.enum(['music', 'video', 'podcast', 'audiobook'])),
  mediaType: maybe(z.enum(['song', 'album', 'artist'])),
  bookmarkPosition: maybe(int),
  played: maybe(time),
  bpm: maybe(int),
  comment: maybe(text),
  sortName: maybe(text),
  genres: maybe(all(ItemGenre)),
  artists: maybe(all(ArtistID3)),
  displayArtist: maybe(text),
  albumArtists: maybe(all(ArtistID3)),
  displayAlbumArtist: maybe(text),
  explicitStatus: maybe(z.enum(['clean', 'explicit', ''])),
});

const AlbumID3 = z.strictObject({
  id: text,
  name: text,
  artist: maybe(text),
  artistId: maybe(text),
  coverArt: maybe(text),
  songCount: int,
  duration: int,
  playCount: maybe(int),
  created: time,
  starred: maybe(time),
  year: maybe(int),
  genre: maybe(text),
  played: maybe(time),
  userRating: maybe(int),
  genres: maybe(all(ItemGenre)),
  artists: maybe(all(ArtistID3)),
  displayArtist: maybe(text),
  sortName: maybe(text),
  releaseDate: maybe(ItemDate),
  isCompilation: maybe(yes),
  song: maybe(all(Child)),
});

const indexOf = <T extends z.ZodType>(artist: T) =>
  z.strictObject({ name: text, artist: maybe(all(artist)) });

const Playlist = z.strictObject({
  id: text,
  name: text,
  comment: maybe(text),
  owner: maybe(text),
  public: maybe(yes),
  songCount: int,
  duration: int,
  created: time,
  changed: time,
  coverArt: maybe(text),
  readonly: maybe(yes),
});

const Queue = z.strictObject({
  position: maybe(int),
  username: text,
  changed: time,
  changedBy: text,
  entry: maybe(all(Child)),
});

const PodcastEpisode = Child.extend({
  streamId: maybe(text),
  channelId: text,
  description: maybe(text),
  status: z.enum(['new', 'downloading', 'completed', 'error', 'deleted', 'skipped']),
  publishDate: maybe(time),
});

const User = z.strictObject({
  username: text,
  scrobblingEnabled: yes,
  maxBitRate: maybe(int),
  adminRole: yes,
  settingsRole: yes,
  downloadRole: yes,
  uploadRole: yes,
  playlistRole: yes,
  coverArtRole: yes,
  commentRole: yes,
  podcastRole: yes,
  streamRole: yes,
  jukeboxRole: yes,
  shareRole: yes,
  videoConversionRole: yes,
  folder: maybe(all(int)),
});

const songs = z.strictObject({ song: maybe(all(Child)) });
const found = <A extends z.ZodType, B extends z.ZodType>(artist: A, album: B) =>
  z.strictObject({ artist: maybe(all(artist)), album: maybe(all(album)), song: maybe(all(Child)) });
const artistInfo = <A extends z.ZodType>(artist: A) =>
  z.strictObject({ biography: maybe(text), similarArtist: maybe(all(artist)) });
const ScanStatus = z.strictObject({ scanning: yes, count: maybe(int) });
const AlbumInfo = z.strictObject({ notes: maybe(text) });

const Lyrics = z.strictObject({
  lang: text,
  synced: yes,
  line: all(z.strictObject({ value: text, start: maybe(int) })),
  displayArtist: maybe(text),
  displayTitle: maybe(text),
  offset: maybe(int),
});

/** What each call adds to the answer; null for nothing. */
const contents: Record<string, z.ZodRawShape | null> = {
  ping: null,
  getLicense: { license: z.strictObject({ valid: yes }) },
  getOpenSubsonicExtensions: {
    openSubsonicExtensions: all(z.strictObject({ name: text, versions: all(int) })),
  },
  tokenInfo: { tokenInfo: z.strictObject({ username: text }) },
  getUser: { user: User },
  getUsers: { users: z.strictObject({ user: maybe(all(User)) }) },
  getScanStatus: { scanStatus: ScanStatus },
  startScan: { scanStatus: ScanStatus },
  getMusicFolders: {
    musicFolders: z.strictObject({
      musicFolder: maybe(all(z.strictObject({ id: int, name: maybe(text) }))),
    }),
  },
  getGenres: {
    genres: z.strictObject({
      genre: maybe(all(z.strictObject({ value: text, songCount: int, albumCount: int }))),
    }),
  },
  getIndexes: {
    indexes: z.strictObject({
      ignoredArticles: text,
      lastModified: int,
      index: maybe(all(indexOf(Artist))),
    }),
  },
  getArtists: {
    artists: z.strictObject({
      ignoredArticles: maybe(text),
      index: maybe(all(indexOf(ArtistID3))),
    }),
  },
  getArtist: { artist: ArtistID3.extend({ album: all(AlbumID3) }) },
  getAlbum: { album: AlbumID3.extend({ song: all(Child) }) },
  getSong: { song: Child },
  getMusicDirectory: {
    directory: z.strictObject({
      id: text,
      parent: maybe(text),
      name: text,
      child: maybe(all(Child)),
    }),
  },
  getArtistInfo: { artistInfo: artistInfo(Artist) },
  getArtistInfo2: { artistInfo2: artistInfo(ArtistID3) },
  getAlbumInfo: { albumInfo: AlbumInfo },
  getAlbumInfo2: { albumInfo: AlbumInfo },
  getAlbumList: { albumList: z.strictObject({ album: maybe(all(Child)) }) },
  getAlbumList2: { albumList2: z.strictObject({ album: maybe(all(AlbumID3)) }) },
  getRandomSongs: { randomSongs: songs },
  getSongsByGenre: { songsByGenre: songs },
  getSimilarSongs: { similarSongs: songs },
  getSimilarSongs2: { similarSongs2: songs },
  getTopSongs: { topSongs: songs },
  getNowPlaying: {
    nowPlaying: z.strictObject({
      entry: all(
        Child.extend({ username: text, minutesAgo: int, playerId: int, playerName: maybe(text) }),
      ),
    }),
  },
  getStarred: { starred: found(Artist, Child) },
  getStarred2: { starred2: found(ArtistID3, AlbumID3) },
  search2: { searchResult2: found(Artist, Child) },
  search3: { searchResult3: found(ArtistID3, AlbumID3) },
  getLyricsBySongId: { lyricsList: z.strictObject({ structuredLyrics: maybe(all(Lyrics)) }) },
  getLyrics: {
    lyrics: z.strictObject({ value: text, artist: maybe(text), title: maybe(text) }),
  },
  star: null,
  unstar: null,
  scrobble: null,
  reportPlayback: null,
  getPlaylists: { playlists: z.strictObject({ playlist: maybe(all(Playlist)) }) },
  getPlaylist: { playlist: Playlist.extend({ entry: maybe(all(Child)) }) },
  createPlaylist: { playlist: Playlist.extend({ entry: maybe(all(Child)) }) },
  updatePlaylist: null,
  deletePlaylist: null,
  getBookmarks: {
    bookmarks: z.strictObject({
      bookmark: maybe(
        all(
          z.strictObject({
            position: int,
            username: text,
            comment: maybe(text),
            created: time,
            changed: time,
            entry: Child,
          }),
        ),
      ),
    }),
  },
  createBookmark: null,
  deleteBookmark: null,
  getPlayQueue: { playQueue: Queue.extend({ current: maybe(text) }) },
  getPlayQueueByIndex: { playQueueByIndex: Queue.extend({ currentIndex: maybe(int) }) },
  savePlayQueue: null,
  savePlayQueueByIndex: null,
  getPodcasts: {
    podcasts: z.strictObject({
      channel: maybe(
        all(
          z.strictObject({
            id: text,
            url: text,
            title: maybe(text),
            description: maybe(text),
            coverArt: maybe(text),
            status: text,
            episode: maybe(all(PodcastEpisode)),
          }),
        ),
      ),
    }),
  },
  getNewestPodcasts: { newestPodcasts: z.strictObject({ episode: maybe(all(PodcastEpisode)) }) },
  getPodcastEpisode: { podcastEpisode: PodcastEpisode },
  refreshPodcasts: null,
  downloadPodcastEpisode: null,
  getInternetRadioStations: {
    internetRadioStations: z.strictObject({ internetRadioStation: z.tuple([]) }),
  },
  getShares: { shares: z.strictObject({ share: z.tuple([]) }) },
  getVideos: { videos: z.strictObject({ video: z.tuple([]) }) },
  getChatMessages: { chatMessages: z.strictObject({ chatMessage: z.tuple([]) }) },
};

const server = {
  version: z.literal('1.16.1'),
  type: text.min(1),
  serverVersion: text.min(1),
  openSubsonic: z.literal(true),
};

export const subsonicCalls = Object.keys(contents);

/** The answer of a call that succeeds. */
export function subsonicAnswer(call: string) {
  const content = contents[call];
  if (content === undefined) throw new Error(`No schema for the answer of ${call}.`);
  return z.strictObject({
    'subsonic-response': z.strictObject({ status: z.literal('ok'), ...server, ...content }),
  });
}

export const subsonicFailure = z.strictObject({
  'subsonic-response': z.strictObject({
    status: z.literal('failed'),
    ...server,
    error: z.strictObject({
      code: z.union([0, 10, 20, 30, 40, 41, 42, 43, 44, 50, 60, 70].map((code) => z.literal(code))),
      message: maybe(text),
    }),
  }),
});
