import { Email } from '#contract/accounts.ts';
import type { ColumnRole, MemberSource } from '#contract/admin/member-imports.ts';

type Roles = Record<string, ColumnRole>;

/** The columns that we use of each export, by their names in lower case. All others are ignored. */
const knownColumns: Record<Exclude<MemberSource, 'other'>, { marks: string[]; roles: Roles }> = {
  weekender: {
    marks: ['email', 'paid_until', 'release_mails'],
    roles: {
      email: 'email',
      name: 'name',
      paid_until: 'paid-until',
      release_mails: 'subscribed',
    },
  },
  // It has no dates: complimentary plans and tiers only tell who pays.
  ghost: {
    marks: ['email', 'subscribed_to_emails', 'complimentary_plan'],
    roles: {
      email: 'email',
      name: 'name',
      subscribed_to_emails: 'subscribed',
      complimentary_plan: 'paying',
      tiers: 'paying',
      products: 'paying',
      deleted_at: 'left',
    },
  },
  patreon: {
    marks: ['email', 'patron status'],
    roles: {
      email: 'email',
      name: 'name',
      'patron status': 'paying',
      'access expiration': 'paid-until',
      'next charge date': 'next-payment',
    },
  },
  // One file each for subscribed, unsubscribed and cleaned (bounced) addresses.
  mailchimp: {
    marks: ['email address', 'leid', 'euid'],
    roles: {
      'email address': 'email',
      name: 'name',
      'first name': 'name',
      'last name': 'name',
      unsub_time: 'unsubscribed',
      clean_time: 'left',
    },
  },
};

/** Names that other programs give to such columns. */
const guesses: readonly (readonly [RegExp, ColumnRole])[] = [
  [/^(?:e-?mail|e-?mail[ _-]?address|mail)$/, 'email'],
  [/^(?:(?:full|first|last|display|user)[ _-]?)?name$|^username$/, 'name'],
  [
    /^(?:paid|valid|access|active)[ _-]?(?:until|till|to|through)$|^(?:expires?|expiry|expiration)(?:[ _-]?(?:date|at|on))?$|^access[ _-]?expiration$/,
    'paid-until',
  ],
  [/^next[ _-]?(?:payment|charge|billing|renewal)(?:[ _-]?(?:date|at|on))?$/, 'next-payment'],
  [/^(?:is[ _-]?)?(?:paying|paid|premium|complimentary[ _-]?plan)$/, 'paying'],
  [/^unsubscribed(?:[ _-]?at)?$|^opted[ _-]?out$/, 'unsubscribed'],
  [/^subscribed(?:[ _-]?to[ _-]?emails)?$|^opt(?:ed)?[ _-]?in$/, 'subscribed'],
  [/^(?:bounced|deleted)(?:[ _-]?at)?$/, 'left'],
];

const toName = (cell: string): string => cell.trim().toLowerCase();

export function findSource(head: readonly string[]): MemberSource {
  const names = new Set(head.map(toName));
  for (const [source, { marks }] of Object.entries(knownColumns))
    if (marks.every((mark) => names.has(mark))) return source as MemberSource;
  return 'other';
}

function guessRole(name: string): ColumnRole {
  return guesses.find(([pattern]) => pattern.test(name))?.[1] ?? 'ignore';
}

/** Only one column can be the address. */
export function findRoles(head: readonly string[], source: MemberSource): ColumnRole[] {
  let hasEmail = false;
  return head.map((cell) => {
    const name = toName(cell);
    const role =
      source === 'other' ? guessRole(name) : (knownColumns[source].roles[name] ?? 'ignore');
    if (role !== 'email') return role;
    if (hasEmail) return 'ignore';
    hasEmail = true;
    return 'email';
  });
}

/** A file without names of columns: its first row already has an address. */
export const hasNoHead = (row: readonly string[]): boolean =>
  row.some((cell) => Email.safeParse(cell).success);

/** The column with addresses, where no name says so. */
export const findEmailColumn = (row: readonly string[]): number =>
  row.findIndex((cell) => Email.safeParse(cell).success);
