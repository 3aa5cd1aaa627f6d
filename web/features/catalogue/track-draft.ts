import {
  findReleaseProblem,
  findSlotProblem,
  TrackChange,
  type Release,
} from '#contract/track-fields.ts';
import { describeProblems, formatTracklist, parseTracklist } from '#contract/rules/tracklist.ts';
import { formatZoned, parseZoned } from '#contract/rules/zoned-time.ts';
import type { Chapter } from '#contract/tracks.ts';
import { fieldErrors, type FieldErrors } from '#web/lib/parse-form.ts';

/** What stands in the fields, as text: what it means is worked out when it is saved. */
export type TrackForm = {
  title: string;
  week: string;
  year: string;
  genre: string;
  description: string;
  tracklist: string;
  isSubscriberOnly: boolean;
  previewStart: number | null;
  releaseKind: Release['kind'];
  releaseAt: string;
};

export type TrackValues = {
  title: string;
  week: number;
  year: number;
  genre: string | null;
  description: string;
  chapters: readonly Chapter[];
  isSubscriberOnly: boolean;
  previewStart: number | null;
  publishAt: number | null;
};

export function toForm(values: TrackValues, timeZone: string, now: number): TrackForm {
  const { publishAt } = values;
  return {
    title: values.title,
    week: String(values.week),
    year: String(values.year),
    genre: values.genre ?? '',
    description: values.description,
    tracklist: formatTracklist(values.chapters),
    isSubscriberOnly: values.isSubscriberOnly,
    previewStart: values.previewStart,
    releaseKind: publishAt === null ? 'draft' : publishAt > now ? 'at' : 'now',
    releaseAt: publishAt === null ? '' : formatZoned(publishAt, timeZone),
  };
}

/** What was read of the file meanwhile comes into the fields that nobody has touched. */
export const bringIn = (form: TrackForm, before: TrackForm, incoming: TrackForm): TrackForm => {
  const names = Object.keys(form) as (keyof TrackForm)[];
  const untouched = names.filter((name) => form[name] === before[name]);
  return { ...form, ...Object.fromEntries(untouched.map((name) => [name, incoming[name]])) };
};

function readRelease(form: TrackForm, timeZone: string): Release | string {
  if (form.releaseKind !== 'at') return { kind: form.releaseKind };
  const at = parseZoned(form.releaseAt, timeZone);
  return at === null ? 'Choose a day and a time.' : { kind: 'at', at };
}

type Read =
  | { change: TrackChange; errors?: undefined }
  | { change?: undefined; errors: FieldErrors };

/** Only what differs from what was there: somebody else may have changed the rest. */
export function readChange(
  form: TrackForm,
  before: TrackForm,
  timeZone: string,
  now: number,
): Read {
  const isChanged = (name: keyof TrackForm) => form[name] !== before[name];
  const errors: FieldErrors = {};
  const raw: Record<string, unknown> = {};
  for (const name of ['title', 'genre', 'description', 'isSubscriberOnly', 'previewStart'] as const)
    if (isChanged(name)) raw[name] = form[name];
  if (isChanged('week') || isChanged('year')) {
    raw.week = Number(form.week);
    raw.year = Number(form.year);
  }
  if (isChanged('tracklist')) {
    const { chapters, problems } = parseTracklist(form.tracklist);
    const problem = describeProblems(problems);
    if (problem) errors.tracklist = problem;
    raw.chapters = chapters;
  }
  if (isChanged('releaseKind') || (form.releaseKind === 'at' && isChanged('releaseAt'))) {
    const release = readRelease(form, timeZone);
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
  return { change: parsed.data };
}
