import { z } from 'zod';
import { LETTER_AUDIENCES, LETTER_PAGES, LetterPicture } from '../letters.ts';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';
import { line } from '../rules/text-fields.ts';
import { LOOK_IMAGE_MAX_BYTES } from './look.ts';

/** As large as other pictures that are chosen here. */
export const LETTER_PICTURE_MAX_BYTES = LOOK_IMAGE_MAX_BYTES;

const LETTER_BODY_MAX_BYTES = 100 * 1024;

/**
 * `stopped` letters went to some and wait for somebody to go on. `sent` ones are out to all, and can't
 * change any more.
 */
const LETTER_STATES = ['draft', 'planned', 'sending', 'stopped', 'sent'] as const;
export type LetterState = (typeof LETTER_STATES)[number];

const Audience = z.enum(LETTER_AUDIENCES, { error: 'Choose who gets it.' });
const Page = z.enum(LETTER_PAGES, { error: 'Choose who can read it on the site.' });

/** What is written. A draft may be empty. */
const contentFields = {
  subject: line(120),
  /** Markdown. */
  body: z
    .string()
    .trim()
    .overwrite((text) => text.replaceAll('\r\n', '\n'))
    .refine(
      (text) => new TextEncoder().encode(text).length <= LETTER_BODY_MAX_BYTES,
      'Use at most 100 KB of text.',
    )
    .refine((text) => /^[\P{Cc}\n\t]*$/u.test(text), 'The text contains an invalid character.'),
  picture: z
    .string()
    .regex(/^[0-9a-z]{20,40}-[1-9]\d{0,4}x[1-9]\d{0,4}\.jpg$/, 'Choose the picture again.')
    .nullable(),
  pictureText: line(200),
  /** The mix that it shows. */
  trackId: z.string().min(1).max(64).nullable(),
};
export const LetterContent = z.strictObject(contentFields);
export type LetterContent = z.output<typeof LetterContent>;

export const LetterValues = z.strictObject({ ...contentFields, audience: Audience, page: Page });
export type LetterValues = z.output<typeof LetterValues>;

const LetterItem = z.object({
  id: z.string(),
  state: z.enum(LETTER_STATES),
  subject: z.string(),
  audience: Audience,
  page: Page,
  updatedAt: z.int(),
  /** When it goes out, if it is planned. */
  sendAt: z.int().nullable(),
  /** Why it didn't go out at its time, if that made it a draft again. */
  refusal: z.string().nullable(),
  startedAt: z.int().nullable(),
  finishedAt: z.int().nullable(),
  /** Nobody's opening or reading is counted. */
  counts: z.object({
    waiting: z.int(),
    sent: z.int(),
    /** Refused by the mail server, or came back within a week. */
    returned: z.int(),
    failed: z.int(),
    /** Unsubscribed, or closed the account, before it was their turn. */
    leftOut: z.int(),
    /** Followed the link in this letter. */
    unsubscribed: z.int(),
  }),
});
export type LetterItem = z.infer<typeof LetterItem>;

export const AdminLetter = LetterItem.extend({
  ...contentFields,
  version: z.int(),
  picturePath: LetterPicture.shape.smallPath.nullable(),
  track: z
    .object({ id: z.string(), title: z.string(), weekNumber: z.int(), year: z.int() })
    .nullable(),
  /** Until the mails that wait are out, in milliseconds; null if nothing slows them down. */
  estimateMs: z.int().nullable(),
});
export type AdminLetter = z.infer<typeof AdminLetter>;

export const LetterReach = z.object({
  /** Members who want product news and whose address is confirmed and accepts mail. */
  audiences: z.array(
    z.object({ audience: Audience, members: z.int(), estimateMs: z.int().nullable() }),
  ),
  /** 0 without a limit. */
  mailsPerHour: z.int(),
  /** What happens to e-mails: in demo mode they go to the outbox, without a mail server nowhere. */
  delivery: z.enum(['smtp', 'outbox', 'none']),
});
export type LetterReach = z.infer<typeof LetterReach>;

const params = z.object({ id: z.string().max(64) });
const errors = ['unauthenticated', 'not_found'] as const;
const changing = [...errors, 'letter_changed', 'letter_locked'] as const;

export const letterAdminRoutes = defineRoutes({
  'GET /api/admin/letters': {
    summary: 'All letters, newest first.',
    query: PageQuery,
    response: pageOf(LetterItem),
    errors,
  },
  'POST /api/admin/letters': {
    summary: 'Begin a letter.',
    response: AdminLetter,
    errors,
  },
  'GET /api/admin/letters/reach': {
    summary: 'How many members a letter would reach now, and how long that takes.',
    response: LetterReach,
    errors,
  },
  'POST /api/admin/letters/pictures': {
    summary: 'Prepare a picture for a letter: raw image bytes, up to 12 MB.',
    body: 'image',
    response: z.object({ picture: z.string(), path: z.string() }),
    errors: [...errors, 'invalid_image', 'disk_full', 'unavailable'],
  },
  'POST /api/admin/letters/preview': {
    summary: 'What is written, as it will arrive.',
    body: LetterContent,
    response: z.object({
      from: z.string().nullable(),
      subject: z.string(),
      html: z.string(),
      text: z.string(),
    }),
    errors,
  },
  'POST /api/admin/letters/test': {
    summary: 'Send yourself what is written.',
    body: LetterContent,
    response: z.object({ to: z.string(), isSent: z.boolean() }),
    errors: [...errors, 'mail_refused', 'rate_limited'],
  },
  'GET /api/admin/letters/:id': {
    summary: 'A letter with all that is written.',
    params,
    response: AdminLetter,
    errors,
  },
  'PATCH /api/admin/letters/:id': {
    summary: 'Save a draft, unless someone else did meanwhile. What is out only moves its page.',
    params,
    body: z.strictObject({ version: z.int(), ...LetterValues.partial().shape }),
    response: AdminLetter,
    errors: changing,
  },
  'DELETE /api/admin/letters/:id': {
    summary: 'Delete a draft.',
    params,
    errors: changing,
  },
  'POST /api/admin/letters/:id/send': {
    summary: 'Send a draft as it was saved, now or at a time.',
    params,
    body: z.strictObject({
      version: z.int(),
      /** Null for now. */
      at: z.int('Choose a day and a time.').nullable(),
    }),
    response: AdminLetter,
    errors: [...changing, 'confirmation_required', 'letter_refused'],
  },
  'POST /api/admin/letters/:id/stop': {
    summary: 'Make a planned letter a draft again, or stop sending: whoever got it got it.',
    params,
    response: AdminLetter,
    errors: [...errors, 'letter_locked'],
  },
  'POST /api/admin/letters/:id/go-on': {
    summary: 'Send a stopped letter to those who haven’t got it.',
    params,
    response: AdminLetter,
    errors: [...errors, 'confirmation_required', 'letter_locked'],
  },
});
