import { z } from 'zod';
import { defineRoutes } from '../route.ts';
import { findWordsProblem, mailWords, type MailWordsName } from '../rules/mail-words.ts';

/** Several lines of an operator's own words. */
const Words = (name: MailWordsName) =>
  z
    .string()
    .trim()
    .overwrite((text) => text.replaceAll('\r\n', '\n'))
    .max(mailWords[name].maxLength, `Use at most ${mailWords[name].maxLength} characters.`)
    .regex(/^[\P{Cc}\n]*$/u, 'The text contains an invalid character.')
    .superRefine((text, context) => {
      const message = findWordsProblem(name, text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });

/** Settings: what the operator writes in mails. */
export const mailWordsFields = {
  greeting: Words('greeting').refine((text) => !text.includes('\n'), 'Use one line of text.'),
  releaseIntro: Words('releaseIntro'),
  releaseEnd: Words('releaseEnd'),
  premiumWelcome: Words('premiumWelcome'),
};

export const MAIL_GROUPS = ['Releases', 'Accounts', 'Payments', 'Gifts', 'Administrators'] as const;

const MailKind = z.object({
  /** Part of the address of its preview. */
  name: z.string(),
  group: z.enum(MAIL_GROUPS),
  subject: z.string(),
});

const params = z.object({ name: z.string().regex(/^[a-z-]{1,60}$/, 'Choose an e-mail.') });

const body = z.strictObject({
  /** Words that aren't saved yet. */
  words: z.strictObject(mailWordsFields).partial().default({}),
  /** The mix that a release mail is about; the next one, or the newest, if missing. */
  track: z.string().min(1).max(64).optional(),
});

export const MailPreview = z.object({
  name: z.string(),
  /** The sender, if there is a mail server. */
  from: z.string().nullable(),
  to: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
});
export type MailPreview = z.infer<typeof MailPreview>;

export const mailRoutes = defineRoutes({
  'GET /api/admin/mails': {
    summary: 'Every e-mail that the site sends.',
    response: z.object({ mails: z.array(MailKind) }),
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/admin/mails/pace': {
    summary: 'How many members an e-mail about a mix goes to, and what delays it.',
    response: z.object({
      /** Who gets an e-mail about a new mix. */
      members: z.int(),
      /** E-mails to many that haven’t been sent yet. */
      waiting: z.int(),
      /** The mail server takes no more until then, or doesn’t answer. */
      pause: z.object({ until: z.int(), reason: z.string() }).nullable(),
    }),
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /api/admin/mails/:name/preview': {
    summary: 'An e-mail as it will arrive, with examples for what isn’t known yet.',
    params,
    body,
    response: MailPreview,
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /api/admin/mails/:name/test': {
    summary: 'Send yourself this e-mail.',
    params,
    body,
    response: z.object({ to: z.string(), isSent: z.boolean() }),
    errors: ['unauthenticated', 'not_found', 'mail_refused', 'rate_limited'],
  },
});
