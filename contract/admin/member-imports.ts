import { z } from 'zod';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';

export const MAX_IMPORT_BYTES = 10 * 1024 ** 2;
export const MAX_IMPORT_LINES = 50_000;
export const MAX_IMPORT_COLUMNS = 100;

/** Where a file comes from. `weekender` is our own export. */
export const MemberSource = z.enum(['ghost', 'patreon', 'mailchimp', 'weekender', 'other']);
export type MemberSource = z.infer<typeof MemberSource>;

/**
 * What a column says about a member. `paid-until`: access lasts until then. `next-payment`: the same,
 * for members who pay. `left`: anything in it means that they left, or that mail to them bounced.
 */
export const ColumnRole = z.enum([
  'ignore',
  'email',
  'name',
  'paid-until',
  'next-payment',
  'paying',
  'subscribed',
  'unsubscribed',
  'left',
]);
export type ColumnRole = z.infer<typeof ColumnRole>;

export const DateOrder = z.enum(['day-first', 'month-first']);
export type DateOrder = z.infer<typeof DateOrder>;

/**
 * `new`: gets an account and an e-mail. `extended`: a member who gets more time. `member`: a member for
 * whom nothing changes. `unconfirmed`: an account has the address, but nobody has confirmed it, so it
 * may be a stranger's.
 */
export const LineOutcome = z.enum([
  'new',
  'extended',
  'member',
  'unconfirmed',
  'duplicate',
  'left-out',
  'invalid',
]);
export type LineOutcome = z.infer<typeof LineOutcome>;

export const MemberImport = z.object({
  id: z.string(),
  fileName: z.string(),
  source: MemberSource,
  /** A draft has changed nothing and mailed nobody. */
  state: z.enum(['draft', 'running', 'done']),
  createdAt: z.int(),
  finishedAt: z.int().nullable(),
  lines: z.int(),
  /** How many lines have been worked on. */
  done: z.int(),
  /** Lines per outcome: what will happen, and once it is done, what has happened. */
  outcomes: z.partialRecord(LineOutcome, z.int()),
  /** New members of this import who get access. */
  withAccess: z.int(),
});
export type MemberImport = z.infer<typeof MemberImport>;

export const ImportColumn = z.object({
  name: z.string(),
  role: ColumnRole,
  /** Some of its values. */
  samples: z.array(z.string()),
});
export type ImportColumn = z.infer<typeof ImportColumn>;

/** What was understood of a file. */
export const ImportCheck = z.object({
  import: MemberImport,
  columns: z.array(ImportColumn),
  /** How dates such as 03/04/2026 are read; null when the file has none that could mean two days. */
  dateOrder: DateOrder.nullable(),
  /** Lines of paying members for whom the file has no end date. */
  payingWithoutDate: z.int(),
});
export type ImportCheck = z.infer<typeof ImportCheck>;

export const ImportLine = z.object({
  line: z.int(),
  email: z.string(),
  name: z.string(),
  outcome: LineOutcome,
  /** Why, where the outcome doesn't say it. */
  note: z.string().nullable(),
  paidUntil: z.int().nullable(),
  isUnsubscribed: z.boolean(),
  /** The account that the line became or found. */
  userId: z.string().nullable(),
});
export type ImportLine = z.infer<typeof ImportLine>;

const CheckQuery = z.object({
  fileName: z.string().trim().min(1).max(255),
  /** One role per column, separated by commas; without it, the roles that we recognise. */
  roles: z
    .string()
    .max(MAX_IMPORT_COLUMNS * 20)
    .transform((text) => text.split(','))
    .pipe(z.array(ColumnRole).max(MAX_IMPORT_COLUMNS))
    .optional(),
  dateOrder: DateOrder.optional(),
  /** Access for members who pay, if the file has no date for them. */
  payingUntil: z.coerce.number().int().min(0).max(Date.UTC(2100, 0)).optional(),
});

const params = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });
const errors = ['unauthenticated', 'not_found'] as const;

export const memberImportRoutes = defineRoutes({
  'GET /api/admin/member-imports': {
    summary: 'The imports of members, newest first, without drafts.',
    query: PageQuery,
    response: pageOf(MemberImport),
    errors,
  },
  'POST /api/admin/member-imports': {
    summary:
      'Check a CSV file of members: raw bytes, up to 10 MB and 50,000 lines. Says what would happen to each line, and changes nothing. Replaces your earlier draft.',
    query: CheckQuery,
    body: 'csv',
    response: ImportCheck,
    errors: [...errors, 'import_refused'],
  },
  'GET /api/admin/member-imports/:id': {
    summary: 'An import and how far it is.',
    params,
    response: MemberImport,
    errors,
  },
  'GET /api/admin/member-imports/:id/lines': {
    summary: 'What happens to each line of a file, or what has happened.',
    params,
    query: PageQuery.extend({ outcome: LineOutcome.optional() }),
    response: pageOf(ImportLine),
    errors,
  },
  'POST /api/admin/member-imports/:id/start': {
    summary:
      'Import the members of a draft. Each new one gets one e-mail with a link to set a password. Starting it again changes nothing.',
    params,
    response: MemberImport,
    errors: [...errors, 'confirmation_required'],
  },
});
