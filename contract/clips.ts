import { z } from 'zod';
import { ArtistName } from './artists/artists.ts';
import { shortListOf } from './paging.ts';
import { MAX_CLIP_SECONDS, MIN_CLIP_SECONDS } from './rules/clips.ts';
import { defineRoutes } from './route.ts';
import { Chapter, Track } from './tracks.ts';

const LENGTH = `A clip has ${MIN_CLIP_SECONDS} to ${MAX_CLIP_SECONDS} whole seconds.`;
const START = 'A clip starts at a whole second of the mix.';

export const ClipForm = z.strictObject({
  start: z.int(START).min(0, START).max(86_400, START),
  seconds: z.int(LENGTH).min(MIN_CLIP_SECONDS, LENGTH).max(MAX_CLIP_SECONDS, LENGTH),
});
export type ClipForm = z.infer<typeof ClipForm>;

/** What a clip is as: sound alone, or a video of one of two shapes. */
export const CLIP_FILES = {
  /** Every browser plays it. */
  audio: { name: 'audio.mp3', type: 'audio/mpeg' },
  square: { name: 'square.mp4', type: 'video/mp4' },
  upright: { name: 'upright.mp4', type: 'video/mp4' },
} as const;
export type ClipFile = keyof typeof CLIP_FILES;

export const clipFilePath = (id: string, file: ClipFile): string =>
  `/media/clips/${encodeURIComponent(id)}/${CLIP_FILES[file].name}`;

export const clipPath = (id: string): string => `/clip/${encodeURIComponent(id)}`;

/** Bytes of each file. */
export const ClipSizes = z.object({ audio: z.int(), square: z.int(), upright: z.int() });
export type ClipSizes = z.infer<typeof ClipSizes>;

/** A clip as its maker sees it. */
export const Clip = z.object({
  id: z.string(),
  start: z.int(),
  seconds: z.int(),
  state: z.enum(['waiting', 'ready', 'failed']),
  /** Null until it is ready. */
  sizes: ClipSizes.nullable(),
  createdAt: z.number(),
});
export type Clip = z.infer<typeof Clip>;

const ClipSpan = z.object({ from: z.int(), to: z.int() });

/** What a member can still clip of a mix. */
export const TrackClips = shortListOf(Clip).extend({
  /** Why no clip can be made; null if one can. */
  refusal: z.string().nullable(),
  /** How many seconds of the mix all clips together may give away, and how many are left. */
  limit: z.int(),
  left: z.int(),
  /** Seconds that cost nothing any more: those of clips that exist, and of the preview. */
  free: z.array(ClipSpan),
});
export type TrackClips = z.infer<typeof TrackClips>;

/** A clip as everyone sees it. */
export const PublicClip = z.object({
  id: z.string(),
  start: z.int(),
  seconds: z.int(),
  sizes: ClipSizes,
  /** What plays when it starts, if the tracklist knows. */
  chapter: Chapter.nullable(),
  track: Track.pick({
    id: true,
    title: true,
    year: true,
    weekNumber: true,
    description: true,
    duration: true,
    coverUrl: true,
    isSubscriberOnly: true,
  }).extend({ artists: z.array(ArtistName) }),
  /** The waveform of the whole mix. */
  peaks: z.array(z.number()),
});
export type PublicClip = z.infer<typeof PublicClip>;

const TrackId = z.object({ id: z.string().min(1).max(64) });
const ClipId = z.object({ id: z.string().min(1).max(64) });

export const clipRoutes = defineRoutes({
  'GET /api/tracks/:id/clips': {
    summary: 'The user’s own clips of a track, and how much can still be clipped of it.',
    params: TrackId,
    response: TrackClips,
    errors: ['unauthenticated', 'not_found', 'subscribers_only'],
  },
  'POST /api/tracks/:id/clips': {
    summary:
      'Make a public clip of some seconds of a track. The same seconds again are the clip that exists.',
    params: TrackId,
    body: ClipForm,
    response: Clip,
    errors: [
      'unauthenticated',
      'not_found',
      'subscribers_only',
      'clip_refused',
      'rate_limited',
      'disk_full',
    ],
  },
  'GET /api/clips/:id': {
    summary: 'A clip, for everyone.',
    params: ClipId,
    response: PublicClip,
    errors: ['not_found'],
  },
  'DELETE /api/clips/:id': {
    summary: 'Remove one of the user’s own clips. Its seconds stay counted.',
    params: ClipId,
    errors: ['unauthenticated', 'not_found'],
  },
});
