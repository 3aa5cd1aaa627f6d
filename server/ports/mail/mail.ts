import { hash } from 'node:crypto';
import { z } from 'zod';
import { Email } from '#contract/accounts.ts';

const line = z
  .string()
  .max(200)
  .regex(/^\P{Cc}+$/u, 'Must be one line without control characters.');

/** One recipient and one line of subject: there is no room for a header that was not meant. */
export const MailMessage = z.strictObject({
  to: Email,
  subject: line,
  text: z.string().min(1),
  html: z.string().min(1),
  /** Where one click, or the mail program itself, unsubscribes (RFC 8058). */
  unsubscribeUrl: z.url().optional(),
  /** Names the message, so that one sent again after a crash is recognised as the same. */
  key: z.string().min(1).max(300).optional(),
});
export type MailMessage = z.infer<typeof MailMessage>;

/** Of the key only this leaves: it may name people. */
export const hashMessageKey = (key: string): string => hash('sha256', key, 'hex').slice(0, 32);

export type Mail = {
  /** Resolves once the message is handed over; rejects when it was not, so that a job tries again. */
  send: (message: MailMessage) => Promise<void>;
  close: () => void;
};
