import type { TrackArtists } from '#contract/artists/artists.ts';
import {
  findReleaseProblem,
  findSlotProblem,
  MIN_YEAR,
  TrackChange,
  type Release,
  type TrackValues,
} from '#contract/track-fields.ts';
import { describeProblems, formatTracklist, parseTracklist } from '#contract/rules/tracklist.ts';
import {
  findWeekWarning,
  suggestRelease,
  type ReleaseRhythm,
} from '#contract/admin/release-time.ts';
import { WEEK } from '#contract/rules/time.ts';
import { weekOf, type WeekOfYear } from '#contract/rules/weeks.ts';
import { formatZoned, parseZoned } from '#contract/rules/zoned-time.ts';
import { findChanges } from '#web/ui/forms/kept-draft.ts';
import { fieldErrors, type FieldErrors, type ParsedForm } from '#web/ui/forms/parse-form.ts';

type DetailedChapter = TrackValues['chapters'][number];

/** The inputs of the form as they are typed; `parseChange` parses them. */
export type TrackForm = {
  title: string;
  artists: TrackArtists;
  week: string;
  year: string;
  genre: string;
  series: string;
  bpm: string;
  description: string;
  tracklist: string;
  /** What imported files say about the recordings of the tracklist, which the text can’t. */
  details: readonly DetailedChapter[];
  isSubscriberOnly: boolean;
  hasDownloads: boolean;
  hasLossless: boolean;
  hasSaving: boolean;
  previewStart: number | null;
  releaseKind: Release['kind'];
  releaseAt: string;
};

export const listDetails = (chapters: readonly DetailedChapter[]): DetailedChapter[] =>
  chapters.filter(({ details }) => details !== undefined);

/** A line gets what a file said about it, as long as it still has the names in the file. */
const addDetails = (
  chapters: readonly DetailedChapter[],
  known: readonly DetailedChapter[],
): DetailedChapter[] =>
  chapters.map((chapter) => {
    const { artist, title } = chapter;
    const details =
      chapter.details ??
      known.find((each) => each.artist === artist && each.title === title)?.details;
    return { ...chapter, ...(details && { details }) };
  });

export function toForm(values: TrackValues, timeZone: string, now: number): TrackForm {
  const { publishAt } = values;
  return {
    title: values.title,
    artists: values.artists,
    week: String(values.week),
    year: String(values.year),
    genre: values.genre ?? '',
    series: values.series ?? '',
    bpm: String(values.bpm ?? ''),
    description: values.description,
    tracklist: formatTracklist(values.chapters),
    details: listDetails(values.chapters),
    isSubscriberOnly: values.isSubscriberOnly,
    hasDownloads: values.hasDownloads,
    hasLossless: values.hasLossless,
    hasSaving: values.hasSaving,
    previewStart: values.previewStart,
    releaseKind: publishAt === null ? 'draft' : publishAt > now ? 'at' : 'now',
    releaseAt: publishAt === null ? '' : formatZoned(publishAt, timeZone),
  };
}

/** Tags found in the file in the meantime fill the fields that no one has edited. */
export const mergeIncoming = (
  form: TrackForm,
  before: TrackForm,
  incoming: TrackForm,
): TrackForm => ({ ...incoming, ...findChanges(form, before) });

function parseRelease(form: TrackForm, timeZone: string): Release | string {
  if (form.releaseKind !== 'at') return { kind: form.releaseKind };
  const at = parseZoned(form.releaseAt, timeZone);
  return at === null ? 'Choose a day and a time.' : { kind: 'at', at };
}

/** Only the fields that were edited: someone else may have changed the others. */
export function parseChange(
  form: TrackForm,
  before: TrackForm,
  timeZone: string,
  now: number,
): ParsedForm<TrackChange> {
  const changes = findChanges(form, before);
  const isChanged = (name: keyof TrackForm) => name in changes;
  const errors: FieldErrors = {};
  const raw: Record<string, unknown> = {};
  const plain = [
    'title',
    'genre',
    'series',
    'description',
    'isSubscriberOnly',
    'hasDownloads',
    'hasLossless',
    'hasSaving',
    'previewStart',
  ] as const;
  for (const name of plain) if (isChanged(name)) raw[name] = form[name];
  if (isChanged('week') || isChanged('year')) {
    raw.week = Number(form.week);
    raw.year = Number(form.year);
  }
  if (isChanged('artists')) raw.artists = form.artists.filter(({ name }) => name.trim() !== '');
  if (isChanged('bpm')) raw.bpm = form.bpm.trim() === '' ? null : Number(form.bpm);
  if (isChanged('tracklist') || isChanged('details')) {
    const { chapters, problems } = parseTracklist(form.tracklist);
    const problem = describeProblems(problems);
    if (problem) errors.tracklist = problem;
    raw.chapters = addDetails(chapters, form.details);
  }
  if (isChanged('releaseKind') || (form.releaseKind === 'at' && isChanged('releaseAt'))) {
    const release = parseRelease(form, timeZone);
    const problem = typeof release === 'string' ? release : findReleaseProblem(release, now);
    if (problem) errors.release = problem;
    else raw.release = release;
  }
  const parsed = TrackChange.safeParse(raw);
  if (!parsed.success) Object.assign(errors, fieldErrors(parsed.error.issues));
  const { week, year } = parsed.data ?? {};
  const slot = week !== undefined && year !== undefined ? findSlotProblem({ week, year }) : null;
  if (slot) errors.week ??= slot;
  if (!parsed.success || Object.keys(errors).length > 0) return { errors };
  return { data: parsed.data };
}

/** The week in the form; null while it isn't a valid one. */
function parseSlot({ week, year }: Pick<TrackForm, 'week' | 'year'>): WeekOfYear | null {
  const slot = { week: Number(week), year: Number(year) };
  const isSlot = Number.isInteger(slot.week) && slot.week >= 1 && Number.isInteger(slot.year);
  return isSlot && slot.year >= MIN_YEAR && !findSlotProblem(slot) ? slot : null;
}

/** While the week is being typed, a proposal for any week counts. */
function isProposal(form: TrackForm, rhythm: ReleaseRhythm, now: number): boolean {
  const slot = parseSlot(form);
  const at = parseZoned(form.releaseAt, rhythm.timeZone);
  if (at === null) return false;
  const slots = slot ? [slot] : [weekOf(at, rhythm.timeZone), weekOf(now - WEEK, rhythm.timeZone)];
  return slots.some((each) => form.releaseAt === suggestRelease(each, rhythm, now));
}

/**
 * Applies a change of the form. A scheduled mix gets the release time of its week, which moves with
 * the week until someone chooses another time.
 */
export function changeForm(
  form: TrackForm,
  change: Partial<TrackForm>,
  rhythm: ReleaseRhythm,
  now: number,
): TrackForm {
  const next = { ...form, ...change };
  const slot = parseSlot(next);
  if (next.releaseKind !== 'at' || 'releaseAt' in change || !slot) return next;
  const isOver = form.releaseAt <= formatZoned(now, rhythm.timeZone);
  const isWanted = isProposal(form, rhythm, now) || (isOver && change.releaseKind === 'at');
  return isWanted ? { ...next, releaseAt: suggestRelease(slot, rhythm, now) } : next;
}

/** Once the site's release time is known: proposes it if someone chose to schedule before that. */
export const proposeRelease = (
  form: TrackForm,
  before: TrackForm,
  rhythm: ReleaseRhythm,
  now: number,
): TrackForm =>
  form.releaseKind === before.releaseKind || form.releaseAt !== before.releaseAt
    ? form
    : changeForm(form, { releaseKind: form.releaseKind }, rhythm, now);

/** Why the release is worth a second look; it can be saved anyway. */
export function findReleaseWarning(form: TrackForm, timeZone: string, now: number): string | null {
  const slot = parseSlot(form);
  if (!slot || form.releaseKind === 'draft') return null;
  const chosen = parseZoned(form.releaseAt, timeZone);
  const isOut = form.releaseKind === 'now' && chosen !== null && chosen <= now;
  const at = form.releaseKind === 'now' ? now : chosen;
  return at === null || isOut ? null : findWeekWarning(slot, at, timeZone);
}
