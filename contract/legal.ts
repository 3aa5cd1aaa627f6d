import { z } from 'zod';
import { Seller } from './paying/invoices.ts';
import { defineRoutes } from './route.ts';
import { LEGAL_PAGES } from './legal-pages.ts';

const LegalPageName = z.enum(LEGAL_PAGES);

const LEGAL_TEXT_MAX = 50_000;

/** Markdown, with facts of the site in braces such as `{siteName}`. */
export const LegalText = z
  .string()
  .trim()
  .min(1, 'Enter a text.')
  .max(LEGAL_TEXT_MAX, 'Use at most 50,000 characters.')
  .refine((text) => !text.includes('\0'), 'The text contains an invalid character.');

const Version = z.object({ version: z.int(), at: z.int() });

export const LegalPage = z.object({
  page: LegalPageName,
  version: z.int(),
  /** When this version was published. */
  at: z.int(),
  /** Safe to insert: only headings, text, lists and links. */
  html: z.string(),
  seller: Seller,
  /** Every version, newest first. */
  versions: z.array(Version),
});
export type LegalPage = z.infer<typeof LegalPage>;

export const LegalDraft = z.object({
  page: LegalPageName,
  version: z.int(),
  at: z.int(),
  text: z.string(),
  /** What the page says until an administrator edits it. */
  defaultText: z.string(),
  /** What the text can say in braces, and what that becomes now. */
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  /** By whom: null for the default text and for deleted accounts. */
  versions: z.array(Version.extend({ by: z.string().nullable() })),
});
export type LegalDraft = z.infer<typeof LegalDraft>;

const params = z.object({ page: LegalPageName });
const adminErrors = ['unauthenticated', 'not_found'] as const;

export const legalRoutes = defineRoutes({
  'GET /api/legal/:page': {
    summary:
      'The terms, the privacy policy, the refund policy, the contact page or what to do about copyright.',
    params,
    query: z.object({ version: z.coerce.number().int().min(1).max(1_000_000).optional() }),
    response: LegalPage,
    errors: ['not_found'],
  },
  'POST /api/legal/changes/seen': {
    summary: 'You have read that the terms changed; you aren’t told again.',
    errors: ['unauthenticated'],
  },
  'GET /api/admin/legal/:page': {
    summary: 'The text of a legal page, with its versions.',
    params,
    response: LegalDraft,
    errors: adminErrors,
  },
  'POST /api/admin/legal/:page': {
    summary: 'Publish a new version, unless someone else did meanwhile.',
    params,
    body: z.strictObject({ version: z.int(), text: LegalText }),
    response: LegalDraft,
    errors: [...adminErrors, 'legal_changed'],
  },
  'POST /api/admin/legal/:page/preview': {
    summary: 'What a text would look like.',
    params,
    body: z.strictObject({ text: LegalText }),
    response: z.object({ html: z.string() }),
    errors: adminErrors,
  },
});
