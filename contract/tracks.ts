import { z } from 'zod';
import { defineRoutes } from './route.ts';

/** One entry of a mix's tracklist: a chapter of the waveform. */
export const Chapter = z.object({
  /** Seconds from the start of the mix. */
  at: z.number(),
  title: z.string(),
  artist: z.string().nullable(),
});
export type Chapter = z.infer<typeof Chapter>;

/** How far the member who asks has come, on any of their devices. */
export const Progress = z.object({
  /** Seconds into the mix, also where only its preview was heard. */
  position: z.number(),
  /** Listened to its ending, once; it stays heard when it is played again. */
  isFinished: z.boolean(),
  listenedAt: z.number(),
});
export type Progress = z.infer<typeof Progress>;

/** What a viewer gets of a track. `fileUrl` and `access` depend on who asks. */
export const Track = z.object({
  id: z.string(),
  title: z.string(),
  year: z.int(),
  weekNumber: z.int(),
  description: z.string(),
  genre: z.string().nullable(),
  bpm: z.int().nullable(),
  /** Seconds of the whole mix, whatever the viewer may hear of it. */
  duration: z.number(),
  coverUrl: z.string().nullable(),
  /** Full audio with access, otherwise a file that holds nothing but the preview. */
  fileUrl: z.string(),
  /** The same in fewer bytes; null where there is no smaller one. */
  dataSaverUrl: z.string().nullable(),
  access: z.enum(['full', 'preview']),
  /** Where in the mix the preview begins, so that playback can go on from the same second. */
  previewStart: z.number(),
  isSubscriberOnly: z.boolean(),
  publishedAt: z.number(),
  plays: z.int(),
  /** Whether the viewer marked it with a heart; false for visitors. */
  isFavorite: z.boolean(),
  /** Null for visitors, and for what the member has not started. */
  progress: Progress.nullable(),
});
export type Track = z.infer<typeof Track>;

export const TrackDetail = Track.extend({
  chapters: z.array(Chapter),
  formats: z.array(z.enum(['mp3', 'flac'])),
  /** Bytes of each file there is: mobile data is expensive, and people choose by it. */
  sizes: z
    .object({ stream: z.number(), dataSaver: z.number(), mp3: z.number(), flac: z.number() })
    .partial(),
});
export type TrackDetail = z.infer<typeof TrackDetail>;

/** What a member has done with a mix: heard something of it, nothing yet, or taken it along. */
export const LibraryState = z.enum(['listened', 'missed', 'downloaded']);
export type LibraryState = z.infer<typeof LibraryState>;

const Neighbour = Track.pick({ id: true, title: true, year: true, weekNumber: true });
export type Neighbour = z.infer<typeof Neighbour>;

/** About 1,600 loudness peaks from 0 to 1, evenly spread over the mix. */
export const Peaks = z.object({ peaks: z.array(z.number()) });

const TrackId = z.object({ id: z.string().max(64) });
const PlayId = z.object({ playId: z.string().max(64) });

export const trackRoutes = defineRoutes({
  'GET /api/tracks': {
    summary: 'Published tracks, newest week first.',
    query: z.strictObject({
      year: z.coerce.number().int().min(1990).max(9999).optional(),
      week: z.coerce.number().int().min(1).max(53).optional(),
      genre: z.string().max(60).optional(),
      state: LibraryState.optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(100).optional(),
    }),
    response: z.object({ items: z.array(Track), nextCursor: z.string().nullable() }),
    errors: ['unauthenticated'],
  },
  'GET /api/tracks/facets': {
    summary: 'The years and genres that published tracks can be filtered by.',
    response: z.object({ years: z.array(z.int()), genres: z.array(z.string()) }),
  },
  'GET /api/tracks/:id': {
    summary: 'One track with its chapters.',
    params: TrackId,
    response: TrackDetail,
    errors: ['not_found'],
  },
  'GET /api/tracks/:id/neighbours': {
    summary: 'The mixes before and after this one.',
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
    summary: 'A playback has started.',
    params: TrackId,
    response: z.object({ playId: z.string() }),
    errors: ['not_found'],
  },
  'POST /api/plays/:playId/heartbeat': {
    summary: 'Seconds heard so far and the position in the mix.',
    params: PlayId,
    body: z.strictObject({
      secondsListened: z.number().min(0).max(86_400),
      position: z.number().min(0).max(86_400),
    }),
    errors: ['not_found'],
  },
});
