import { z } from 'zod';
import { line } from '../rules/text-fields.ts';

/** A complaint for which a mix was taken down, and how it ended. */
export const TakeDown = z.object({
  id: z.string(),
  complainant: z.string(),
  email: z.string().nullable(),
  reference: z.string().nullable(),
  reason: z.string(),
  at: z.int(),
  /** Null once the account is deleted. */
  by: z.string().nullable(),
  /** When the mix was released, or would have been; null for a draft. */
  publishAt: z.int().nullable(),
  /** Null while the mix is taken down. */
  end: z
    .object({
      at: z.int(),
      by: z.string().nullable(),
      reason: z.string(),
      as: z.enum(['before', 'draft']),
    })
    .nullable(),
});
export type TakeDown = z.infer<typeof TakeDown>;

export const TakeDownOfTrack = TakeDown.extend({
  track: z.object({ id: z.string(), title: z.string(), weekNumber: z.int(), year: z.int() }),
});
export type TakeDownOfTrack = z.infer<typeof TakeDownOfTrack>;

export const MAX_REASON = 500;

/** A few lines. */
const reason = (missing: string) =>
  z
    .string()
    .trim()
    .overwrite((text) => text.replaceAll('\r\n', '\n'))
    .min(1, missing)
    .max(MAX_REASON, `Use at most ${MAX_REASON} characters.`)
    .regex(/^(?:\P{Cc}|\n)*$/u, 'The text contains an invalid character.');

export const TakeDownForm = z.strictObject({
  complainant: line(200).min(1, 'Enter who complained.'),
  reason: reason('Enter what the complaint is about.'),
  /** How to reach whoever complained, and what they call the case. Both can be empty. */
  email: z.union([
    z.literal(''),
    z.email('Enter an e-mail address, or leave this empty.').max(254),
  ]),
  reference: line(120),
});
export type TakeDownForm = z.output<typeof TakeDownForm>;

export const PutBackForm = z.strictObject({
  reason: reason('Enter why the case is closed.'),
  /** As it was, with its old release time, or as a draft that can be deleted. */
  as: z.enum(['before', 'draft']),
});
export type PutBackForm = z.output<typeof PutBackForm>;

/** A schedule that has passed meanwhile would release the mix without anyone choosing when. */
export const isReleaseMissed = (
  { publishAt, at }: Pick<TakeDown, 'publishAt' | 'at'>,
  now: number,
): boolean => publishAt !== null && publishAt > at && publishAt <= now;
