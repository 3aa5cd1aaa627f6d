import { z } from 'zod';
import { defineRoutes } from '../route.ts';

/** Times and whole seconds for which something was heard. */
const HeardFigures = z.object({ plays: z.int(), seconds: z.int() });

/** Null where entries share a time, so that nobody knows how long either was heard. */
const EntryFigures = HeardFigures.nullable();

const EntryUsage = z.object({
  /** Seconds from the start. */
  at: z.number().nullable(),
  artist: z.string().nullable(),
  title: z.string(),
  full: EntryFigures,
  preview: EntryFigures,
  /** Of full plays that music apps reported: an estimate. */
  subsonic: EntryFigures,
});

/** What was heard with one tracklist: new audio has another one. */
const TracklistUsage = z.object({
  /** When its audio was replaced; null for the audio of today. */
  until: z.number().nullable(),
  full: HeardFigures,
  preview: HeardFigures,
  subsonic: HeardFigures,
  /** How many podcast feeds asked for the file, once a day each: an estimate, for every entry of it. */
  podcasts: z.int(),
  /** Seconds that were heard nobody knows where in the mix. They are in the seconds above. */
  unplaced: z.int(),
  entries: z.array(EntryUsage),
});
export type TracklistUsage = z.infer<typeof TracklistUsage>;

export const TrackUsage = z.object({
  /** The last day that is added up, in the site’s time zone; null before the first. */
  addedUpTo: z.string().nullable(),
  /** The newest first. */
  tracklists: z.array(TracklistUsage),
});
export type TrackUsage = z.infer<typeof TrackUsage>;

export const usageRoutes = defineRoutes({
  'GET /api/admin/tracks/:id/heard': {
    summary: 'How often and for how long each entry of a mix was heard. It names no listener.',
    params: z.object({ id: z.string().max(64) }),
    /** Days, both inclusive. */
    query: z.strictObject({ from: z.string().max(10), to: z.string().max(10) }),
    response: TrackUsage,
    errors: ['unauthenticated', 'not_found'],
  },
});
