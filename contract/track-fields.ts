import { z } from 'zod';
import { TrackArtists } from './artists/artists.ts';
import { DAY } from './rules/time.ts';
import { MAX_CHAPTER_AT, MAX_CHAPTER_TEXT, MAX_CHAPTERS, sortChapters } from './rules/tracklist.ts';
import { weeksInYear } from './rules/weeks.ts';
import { RecordingDetails } from './tracklists/recording.ts';

export const MIN_YEAR = 1990;
export const MAX_YEAR = 2100;
/** A deleted track can be restored for this long; then its files are deleted. */
export const DELETED_TRACK_MS = 7 * DAY;
const MAX_TITLE = 120;
const MAX_GENRE = 60;
export const MIN_BPM = 20;
export const MAX_BPM = 400;
export const MAX_DESCRIPTION = 5000;

/** Control characters are rejected; markup is shown as plain text. */
const ONE_LINE = /^\P{Cc}*$/u;
const MANY_LINES = /^[^\p{Cc}]*(?:[\n\t][^\p{Cc}]*)*$/u;

const Title = z
  .string()
  .trim()
  .min(1, 'Give the mix a title.')
  .max(MAX_TITLE, `Use at most ${MAX_TITLE} characters.`)
  .regex(ONE_LINE, 'Use one line of text.');
const Week = z
  .int('Choose a week.')
  .min(1, 'Week must be 1 or more.')
  .max(53, 'Week must be 53 or less.');
const Year = z
  .int('Choose a year.')
  .min(MIN_YEAR, `Year must be ${MIN_YEAR} or later.`)
  .max(MAX_YEAR, `Year must be ${MAX_YEAR} or earlier.`);
const Genre = z
  .string()
  .trim()
  .max(MAX_GENRE, `Use at most ${MAX_GENRE} characters.`)
  .regex(ONE_LINE, 'Use one line of text.')
  .nullable();
/** The name of a series is written like a genre. */
const Series = Genre;
const Bpm = z
  .int('Enter a whole number, such as 124.')
  .min(MIN_BPM, `BPM must be ${MIN_BPM} or more.`)
  .max(MAX_BPM, `BPM must be ${MAX_BPM} or less.`)
  .nullable();
const Description = z
  .string()
  .trim()
  .max(MAX_DESCRIPTION, `Use at most ${MAX_DESCRIPTION} characters.`)
  .overwrite((text) => text.replace(/\r\n?/g, '\n'))
  .regex(MANY_LINES, 'This text contains an invalid character.');

const ChapterText = z
  .string()
  .trim()
  .max(MAX_CHAPTER_TEXT)
  .regex(ONE_LINE, 'Use one line of text.');
const Chapters = z
  .array(
    z.strictObject({
      at: z.number().min(0).max(MAX_CHAPTER_AT, 'Times must be under six hours.').nullable(),
      title: ChapterText.min(1, 'Every line of the tracklist needs a title.'),
      artist: ChapterText.nullable(),
      /** What it plays, for reports. A list without it keeps the recordings of the old one. */
      recordingId: z.string().max(64).optional(),
      /** What a file said about the recording. */
      details: RecordingDetails.partial().optional(),
    }),
  )
  .max(MAX_CHAPTERS, `Use at most ${MAX_CHAPTERS} lines.`)
  .overwrite(sortChapters);

/** When a track comes out: not yet, immediately, or at a set time. */
export const Release = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('draft') }),
  z.strictObject({ kind: z.literal('now') }),
  z.strictObject({
    kind: z.literal('at'),
    at: z
      .int('Choose a day and a time.')
      .min(0)
      .max(Date.UTC(MAX_YEAR, 11, 31)),
  }),
]);
export type Release = z.infer<typeof Release>;

/** Everything an administrator can edit. Form and server show the same messages. */
export const TrackFields = z.strictObject({
  title: Title,
  artists: TrackArtists,
  week: Week,
  year: Year,
  genre: Genre,
  series: Series,
  /** Null if unknown. */
  bpm: Bpm,
  description: Description,
  chapters: Chapters,
  isSubscriberOnly: z.boolean(),
  /** Members may download its files, also lossless, and save it in the app, if the site lets them. */
  hasDownloads: z.boolean(),
  hasLossless: z.boolean(),
  hasSaving: z.boolean(),
  /** Seconds; null picks the loudest part. */
  previewStart: z.number().min(0).max(MAX_CHAPTER_AT).nullable(),
  release: Release,
});
export type TrackFields = z.output<typeof TrackFields>;

/** A new track before anyone typed anything; title, week and year are guessed from the file. */
export const EMPTY_TRACK_FIELDS = {
  artists: [],
  genre: null,
  series: null,
  bpm: null,
  description: '',
  chapters: [],
  isSubscriberOnly: false,
  hasDownloads: true,
  hasLossless: true,
  hasSaving: true,
  previewStart: null,
  release: { kind: 'draft' },
} satisfies Partial<TrackFields>;

/** Null when the year has such a week. */
export const findSlotProblem = (slot: { year: number; week: number }): string | null =>
  slot.week <= weeksInYear(slot.year) ? null : `${slot.year} has ${weeksInYear(slot.year)} weeks.`;

/** The current minute still counts as now. */
const SLACK_MS = 60_000;

export const findReleaseProblem = (release: Release, now: number): string | null =>
  release.kind === 'at' && release.at < now - SLACK_MS
    ? 'This time has passed. Choose a later one, or publish now.'
    : null;

export const toPublishAt = (release: Release, now: number): number | null =>
  release.kind === 'draft' ? null : release.kind === 'now' ? now : release.at;

type Slot = { year?: number | undefined; week?: number | undefined };

/** For objects with a week and a year: checks one against the other when both are given. */
export function checkSlot({ value, issues }: z.core.ParsePayload<Slot>) {
  const { year, week } = value;
  const problem = year !== undefined && week !== undefined ? findSlotProblem({ year, week }) : null;
  if (problem) issues.push({ code: 'custom', message: problem, path: ['week'], input: week });
}

/** Only the fields to change. */
export const TrackChange = TrackFields.partial();
export type TrackChange = z.output<typeof TrackChange>;

/** The same fields as a form loads them. */
export const TrackValues = TrackFields.omit({ release: true }).extend({
  publishAt: z.number().nullable(),
});
export type TrackValues = z.output<typeof TrackValues>;
