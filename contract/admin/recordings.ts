import { z } from 'zod';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';
import { line } from '../rules/text-fields.ts';
import { MAX_CHAPTER_TEXT, MAX_CHAPTERS } from '../rules/tracklist.ts';
import { GAPS, RecordingDetails } from '../tracklists/recording.ts';

const id = z.string().max(64);
const RecordingName = z.object({ id, artist: z.string().nullable(), title: z.string() });

/**
 * What is missing, or `sharedIsrc`: other recordings have the same ISRC, and one of them is wrong or
 * they are one recording.
 */
export const EntryProblem = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(GAPS) }),
  z.object({ kind: z.literal('sharedIsrc'), recordings: z.array(RecordingName) }),
]);
export type EntryProblem = z.infer<typeof EntryProblem>;

const TrackName = z.object({
  id: z.string(),
  title: z.string(),
  weekNumber: z.int(),
  year: z.int(),
});

const Shared = z.object({
  details: RecordingDetails,
  /** Of its recording: send it back with a change. */
  updatedAt: z.int().nullable(),
});

export const TrackEntry = Shared.extend({
  /** Seconds from the start. */
  at: z.number().nullable(),
  artist: z.string().nullable(),
  title: z.string(),
  recordingId: z.string().nullable(),
  /** How many other mixes play this recording. */
  otherTracks: z.int(),
  /** A recording of the same names that another mix plays. Nothing links this entry to it yet. */
  suggestion: Shared.extend({ recordingId: z.string(), track: TrackName.nullable() }).nullable(),
  problems: z.array(EntryProblem),
});
export type TrackEntry = z.infer<typeof TrackEntry>;

export const TrackRecordings = z.object({
  /** Of the track. */
  version: z.int(),
  title: z.string(),
  week: z.int(),
  year: z.int(),
  /** Seconds. */
  duration: z.number(),
  entries: z.array(TrackEntry),
});
export type TrackRecordings = z.infer<typeof TrackRecordings>;

export const Recording = z.object({
  id: z.string(),
  /** The names for reports: at first those of the entry. Tracklists keep their own. */
  artist: z.string().nullable(),
  title: z.string(),
  details: RecordingDetails,
  /** How many mixes play it. */
  tracks: z.int(),
  /** The newest of them, at most 20. */
  lastTracks: z.array(TrackName),
  problems: z.array(EntryProblem),
  updatedAt: z.int(),
});
export type Recording = z.infer<typeof Recording>;

const params = z.object({ id });
const errors = ['unauthenticated', 'not_found'] as const;
const Name = line(MAX_CHAPTER_TEXT);

/** Larger than a tracklist with all its details. */
export const MAX_RECORDINGS_BYTES = 1024 * 1024;

export const recordingRoutes = defineRoutes({
  'GET /api/admin/tracks/:id/recordings': {
    summary: 'The tracklist of a mix with what a report says about each entry.',
    params,
    response: TrackRecordings,
    errors,
  },
  'PUT /api/admin/tracks/:id/recordings': {
    summary:
      'Change what a report says about the entries of a mix: one of `entries` for each line of the tracklist. What changes about a recording changes in every mix that plays it, unless `isSeparate` makes a new one for this mix.',
    params,
    body: z.strictObject({
      /** The one that was read. */
      version: z.int().min(0),
      entries: z
        .array(
          z.strictObject({
            recordingId: id.nullable(),
            details: RecordingDetails,
            /** As read with the details. */
            updatedAt: z.int().nullable(),
            isSeparate: z.boolean().optional(),
          }),
        )
        .max(MAX_CHAPTERS),
    }),
    response: TrackRecordings,
    errors: [...errors, 'track_changed', 'recording_changed'],
  },
  'GET /api/admin/recordings': {
    summary: 'Every recording with details, by artist and title.',
    query: PageQuery.extend({
      /** Part of an artist, a title or a version, or an ISRC. */
      search: z.string().trim().max(120).optional(),
      gap: z
        .enum([...GAPS, 'sharedIsrc'])
        .exclude(['time'])
        .optional(),
    }),
    response: pageOf(Recording),
    errors,
  },
  'PATCH /api/admin/recordings/:id': {
    summary: 'Correct a recording, once for all mixes that play it.',
    params,
    body: z.strictObject({
      /** The one that was read. */
      updatedAt: z.int(),
      artist: Name.nullable().optional(),
      title: Name.min(1, 'Enter a title.').optional(),
      details: RecordingDetails.optional(),
    }),
    response: Recording,
    errors: [...errors, 'recording_changed'],
  },
  'POST /api/admin/recordings/:id/merge': {
    summary:
      'Two are one: every mix that plays this recording gets the recording `into`, which keeps its details and gets those it lacks.',
    params,
    body: z.strictObject({ into: z.string().min(1).max(64) }),
    response: Recording,
    errors: [...errors, 'recording_changed'],
  },
});
