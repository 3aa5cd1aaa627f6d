import { z } from 'zod';
import { defineRoutes } from './route.ts';

export const Username = z
  .string()
  .trim()
  .min(3, 'Use at least 3 characters.')
  .max(30, 'Use at most 30 characters.')
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u,
    'Use letters, digits, dots, dashes and underscores, starting with a letter or digit.',
  );

export const Email = z
  .string()
  .trim()
  .max(254, 'Use at most 254 characters.')
  .pipe(z.email('Enter an e-mail address like name@example.com.'));

/** The server also refuses those that are easy to guess. */
export const NewPassword = z
  .string()
  .min(8, 'Use at least 8 characters.')
  .max(128, 'Use at most 128 characters.');

/** An existing password: the rules for new ones do not apply. */
export const CurrentPassword = z
  .string()
  .min(1, 'Enter your password.')
  .max(128, 'Use at most 128 characters.');

/** Six digits from the app or a recovery code, with or without spaces and dashes. */
export const LoginCode = z
  .string()
  .max(40, 'Use at most 40 characters.')
  .transform((text) => text.replace(/[\s-]/g, '').toLowerCase())
  .pipe(
    // Recovery codes had 16 characters before they had 24.
    z
      .string()
      .regex(/^(?:\d{6}|[0-9a-z]{16}|[0-9a-z]{24})$/, 'Enter the 6-digit code or a recovery code.'),
  );

/** The account as its owner sees it. These fields decide about access; a request never does. */
export const User = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  /**
   * The address that waits for its link to be opened: the one of a new account, or one that the user
   * wants to change to.
   */
  unconfirmedEmail: z.string().optional(),
  /** Nothing arrives at the address, so no e-mails go there. */
  isEmailRefused: z.boolean().optional(),
  isSubscriber: z.boolean(),
  isAdmin: z.boolean(),
  /** An administrator with fewer rights; never both. */
  isHelper: z.boolean().optional(),
  /**
   * For an administrator without two-step login who used no passkey to log in: when routes for
   * administrators start to answer `two_step_required`, whether they do, and whether there is a
   * passkey to log in with.
   */
  adminGrace: z.object({ until: z.int(), isOver: z.boolean(), hasPasskey: z.boolean() }).optional(),
  avatarUrl: z.string().nullable(),
  /** Until when saved tracks play offline; null if the user may not save any. */
  offlineUntil: z.number().nullable(),
  /** The end of the paid time; left out without access, and for staff who have paid for none. */
  paidThrough: z.number().optional(),
  /** From when the site gives no files; left out if nothing ends. */
  fileEnds: z
    .object({
      downloadsEnd: z.number().nullable(),
      losslessEnd: z.number().nullable(),
      savingEnd: z.number().nullable(),
    })
    .optional(),
  /** The terms or the privacy policy changed then, and the user hasn’t seen that yet. */
  termsChangedAt: z.int().optional(),
  /**
   * Something to pay: `owed` was declined, `confirm` waits for the user at the bank, `ends` is paid time
   * that doesn’t renew.
   */
  paymentDue: z.object({ kind: z.enum(['owed', 'confirm', 'ends']), until: z.int() }).optional(),
});
export type User = z.infer<typeof User>;

/** `username` may also be the e-mail address. */
export const LoginBody = z.strictObject({
  username: z.string().trim().min(1, 'Enter your username.').max(254),
  password: CurrentPassword,
  /** Required if two-step login is on; its absence gives `totp_required`. */
  code: LoginCode.optional(),
});

export const RegisterBody = z
  .strictObject({
    username: Username,
    email: Email,
    password: NewPassword,
    /** Part of the specified request, but ignored: only a payment gives access. */
    isSubscriber: z.boolean().optional(),
  })
  .refine((body) => body.password.toLowerCase() !== body.username.toLowerCase(), {
    path: ['password'],
    message: 'Your password can’t be your username.',
  })
  .refine((body) => body.password.toLowerCase() !== body.email.toLowerCase(), {
    path: ['password'],
    message: 'Your password can’t be your e-mail address.',
  });

export const ProfileBody = z
  .strictObject({
    username: Username.optional(),
    email: Email.optional(),
    /** A new address needs the password, and the code if two-step login is on. */
    password: CurrentPassword.optional(),
    code: LoginCode.optional(),
  })
  .refine(({ username, email }) => username !== undefined || email !== undefined, {
    message: 'Change at least one field.',
  });

/** The token of a link in an e-mail. */
const EmailLinkBody = z.strictObject({ token: z.string().min(1).max(200) });

export const ResetRequestBody = z.strictObject({ email: Email });
export const ResetConfirmBody = z.strictObject({
  token: z.string().min(1).max(200),
  password: NewPassword,
});

const UserId = z.object({ id: z.string().max(64) });

export const accountRoutes = defineRoutes({
  'GET /api/auth/me': {
    summary: 'Get the logged-in user; 401 means public mode.',
    response: User,
    errors: ['unauthenticated'],
  },
  'POST /api/auth/login': {
    summary: 'Log in and receive a session cookie.',
    body: LoginBody,
    response: User,
    errors: [
      'invalid_credentials',
      'totp_required',
      'totp_invalid',
      'demo_only_local',
      'account_disabled',
      'rate_limited',
    ],
  },
  'POST /api/auth/register': {
    summary:
      'Create an account and log in. The response never reveals whether the address has an account; the e-mail to it does.',
    body: RegisterBody,
    response: User,
    errors: ['username_taken', 'rate_limited'],
  },
  'POST /api/auth/logout': { summary: 'End this session. Safe to repeat.' },
  'POST /api/auth/reset-password/request': {
    summary: 'Send a reset link if the address is known. The response never reveals whether it is.',
    body: ResetRequestBody,
    errors: ['rate_limited'],
  },
  'POST /api/auth/reset-password/confirm': {
    summary: 'Set a new password with a reset token. Ends every session of the account.',
    body: ResetConfirmBody,
    errors: ['reset_token_invalid', 'rate_limited'],
  },
  'PATCH /api/users/:id': {
    summary:
      'Change your own profile. A new e-mail address needs your password, and is yours once you open the link we send to it.',
    params: UserId,
    body: ProfileBody,
    response: User,
    errors: [
      'unauthenticated',
      'totp_required',
      'totp_invalid',
      'wrong_password',
      'not_found',
      'username_taken',
      'rate_limited',
    ],
  },
  'POST /api/me/email/link': {
    summary: 'Send the link to your unconfirmed e-mail address again.',
    errors: ['unauthenticated', 'not_found', 'rate_limited'],
  },
  'DELETE /api/me/email/change': {
    summary: 'Keep your e-mail address: cancels a change that isn’t confirmed. Safe to repeat.',
    errors: ['unauthenticated'],
  },
  'POST /api/auth/email/confirm': {
    summary: 'Confirm an e-mail address with the token of the link sent to it. Safe to repeat.',
    body: EmailLinkBody,
    response: z.object({ email: z.string() }),
    errors: ['email_link_invalid', 'email_taken', 'rate_limited'],
  },
  'POST /api/auth/email/undo': {
    summary:
      'Undo a change of e-mail address with the token sent to the former one. Ends every session and the password; returns a token to set a new one.',
    body: EmailLinkBody,
    response: z.object({ email: z.string(), resetToken: z.string() }),
    errors: ['email_link_invalid', 'email_taken', 'rate_limited'],
  },
  'PUT /api/users/:id/avatar': {
    summary: 'Replace your avatar with a JPEG, PNG, WebP, GIF or AVIF of at most 5 MB.',
    params: UserId,
    body: 'image',
    response: User,
    errors: ['unauthenticated', 'not_found', 'invalid_image', 'rate_limited'],
  },
  'DELETE /api/users/:id/avatar': {
    summary: 'Delete your avatar; your initials are shown instead.',
    params: UserId,
    response: User,
    errors: ['unauthenticated', 'not_found'],
  },
});

export const AVATAR_MAX_BYTES = 5 * 1024 * 1024;
