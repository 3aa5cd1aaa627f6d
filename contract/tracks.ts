import { z } from 'zod';
import { ArtistName } from './artists/artists.ts';
import { PageQuery, pageOf } from './paging.ts';
import { defineRoutes } from './route.ts';

/** One entry of a tracklist. */
export const Chapter = z.object({
  /** Seconds from the start of the track; null if nobody has noted when it starts. */
  at: z.number().nullable(),
  title: z.string(),
  artist: z.string().nullable(),
});
export type Chapter = z.infer<typeof Chapter>;

/** How far the viewer got, on all their devices. */
export const Progress = z.object({
  /** Seconds from the start of the full track, also for previews. */
  position: z.number(),
  /** Listened to the end at least once; playing it again doesn't change that. */
  isFinished: z.boolean(),
  /** Seconds listened to in total. */
  listened: z.number(),
  listenedAt: z.number(),
});
export type Progress = z.infer<typeof Progress>;

/** A track as a viewer gets it: `fileUrl` and `access` depend on the viewer. */
export const Track = z.object({
  id: z.string(),
  title: z.string(),
  /** In the order they are named; left out if the track names none. */
  artists: z.array(ArtistName).optional(),
  year: z.int(),
  weekNumber: z.int(),
  description: z.string(),
  genre: z.string().nullable(),
  /** The name of its series; left out if it belongs to none. */
  series: z.string().optional(),
  bpm: z.int().nullable(),
  /** Seconds of the full track, also for previews. */
  duration: z.number(),
  coverUrl: z.string().nullable(),
  /** The full audio with access, otherwise a file with only the preview. */
  fileUrl: z.string(),
  /** A smaller version; null if there is none. */
  dataSaverUrl: z.string().nullable(),
  access: z.enum(['full', 'preview']),
  /** Bytes of the two files; left out for those who only get the preview. */
  sizes: z.object({ stream: z.number(), dataSaver: z.number() }).partial().optional(),
  /** What members may take with them, if that isn't its files: only a copy in the app, or nothing. */
  keeping: z.enum(['saving', 'none']).optional(),
  /** Where in the track the preview starts, so that playback can continue there. */
  previewStart: z.number(),
  isSubscriberOnly: z.boolean(),
  /** When it becomes public. In the future only for viewers with early access. */
  publishedAt: z.number(),
  /** Only for administrators: nobody else may see or hear it yet. */
  unreleased: z.enum(['draft', 'scheduled', 'takenDown']).optional(),
  plays: z.int(),
  /** False for visitors. */
  isFavorite: z.boolean(),
  /** Null for visitors and for tracks the user has not started. */
  progress: Progress.nullable(),
});
export type Track = z.infer<typeof Track>;

export const TrackDetail = Track.extend({
  chapters: z.array(Chapter),
  /** The files that members may keep. */
  formats: z.array(z.enum(['mp3', 'flac'])),
  /** Bytes of each file: mobile data is expensive, so people choose by size. */
  sizes: z
    .object({ stream: z.number(), dataSaver: z.number(), mp3: z.number(), flac: z.number() })
    .partial(),
  /** Nobody may save a copy in the app; left out otherwise. */
  isSavingOff: z.literal(true).optional(),
});
export type TrackDetail = z.infer<typeof TrackDetail>;

/**
 * Tracks the user has listened to, tracks of earlier weeks they haven't, or tracks they downloaded.
 * `contract/rules/progress.ts` says what counts as listened.
 */
export const LibraryState = z.enum(['listened', 'missed', 'downloaded']);
export type LibraryState = z.infer<typeof LibraryState>;

const Neighbour = Track.pick({ id: true, title: true, year: true, weekNumber: true });
export type Neighbour = z.infer<typeof Neighbour>;

/** All that a viewer without access learns about a track: enough to draw its numeral and sleeve. */
const Teaser = Track.pick({ year: true, weekNumber: true });

/** A track that only subscribers can hear until it is public: others learn its name and its hour. */
const EarlyRelease = Track.pick({ title: true, year: true, weekNumber: true, publishedAt: true });
export type EarlyRelease = z.infer<typeof EarlyRelease>;

/** A planned release: nothing but its week and its hours, for everyone and for subscribers. */
const UpcomingRelease = z.object({
  year: z.int(),
  weekNumber: z.int(),
  at: z.number(),
  earlyAt: z.number().nullable(),
});

/** About 1,600 loudness peaks from 0 to 1, evenly spread over the track. */
export const Peaks = z.object({ peaks: z.array(z.number()) });

const TrackId = z.object({ id: z.string().max(64) });
const PlayId = z.object({ playId: z.string().max(64) });

export const trackRoutes = defineRoutes({
  'GET /api/tracks': {
    summary: 'Published tracks, newest week first.',
    query: PageQuery.extend({
      year: z.coerce.number().int().min(1990).max(9999).optional(),
      week: z.coerce.number().int().min(1).max(53).optional(),
      genre: z.string().max(60).optional(),
      series: z.string().max(60).optional(),
      artist: z.string().max(64).optional(),
      state: LibraryState.optional(),
    }),
    response: pageOf(Track),
    errors: ['unauthenticated'],
  },
  'GET /api/tracks/facets': {
    summary:
      'The years, genres and series of published tracks, for filters, and the weeks of this year.',
    response: z.object({
      years: z.array(z.int()),
      /** Those of this year that have a track. */
      weeks: z.array(z.int()),
      genres: z.array(z.string()),
      /** Left out if there are none. */
      series: z.array(z.string()).optional(),
    }),
  },
  'GET /api/tracks/early': {
    summary:
      'The next release that only subscribers can hear so far, and when the next ones come out, if the site says so; by the clock of the server.',
    response: z.object({
      now: z.number(),
      release: EarlyRelease.nullable(),
      /** The next one, and the next that subscribers don’t hear yet if it is another. */
      upcoming: z.array(UpcomingRelease),
    }),
  },
  'GET /api/tracks/:id': {
    summary: 'One track with its chapters.',
    params: TrackId,
    response: TrackDetail,
    errors: ['not_found'],
  },
  'GET /api/me/saved-tracks': {
    summary: 'Which of these tracks, up to 50, the user may keep saved in the app.',
    query: z.object({ ids: z.string().max(50 * 65) }),
    response: z.object({ ids: z.array(z.string()) }),
    errors: ['unauthenticated'],
  },
  'GET /api/tracks/:id/teaser': {
    summary: 'The week of a released track, even for viewers who need Premium to open it.',
    params: TrackId,
    response: Teaser,
    errors: ['not_found'],
  },
  'GET /api/tracks/:id/neighbours': {
    summary: 'The tracks before and after this one.',
    params: TrackId,
    response: z.object({ previous: Neighbour.nullable(), next: Neighbour.nullable() }),
    errors: ['not_found'],
  },
  'GET /api/tracks/:id/peaks': {
    summary: 'The waveform.',
    params: TrackId,
    response: Peaks,
    errors: ['not_found'],
  },
  'POST /api/tracks/:id/play': {
    summary: 'Record that playback has started.',
    params: TrackId,
    response: z.object({ playId: z.string() }),
    errors: ['not_found', 'rate_limited'],
  },
  'POST /api/plays/:playId/heartbeat': {
    summary: 'Report the seconds listened so far and the position in the track.',
    params: PlayId,
    body: z.strictObject({
      secondsListened: z.number().min(0).max(86_400),
      position: z.number().min(0).max(86_400),
    }),
    errors: ['not_found', 'stream_elsewhere'],
  },
});
