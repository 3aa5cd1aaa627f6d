import type { ColumnRole, LineOutcome, MemberSource } from '#contract/admin/member-imports.ts';

export const sourceNames: Record<MemberSource, string> = {
  ghost: 'Ghost',
  patreon: 'Patreon',
  mailchimp: 'Mailchimp',
  weekender: 'our own export',
  other: 'an unknown program',
};

export const roleOptions: readonly { value: ColumnRole; label: string }[] = [
  { value: 'ignore', label: 'Ignore' },
  { value: 'email', label: 'E-mail address' },
  { value: 'name', label: 'Name' },
  { value: 'paid-until', label: 'Paid until' },
  { value: 'next-payment', label: 'Next payment' },
  { value: 'paying', label: 'Pays (yes or no)' },
  { value: 'subscribed', label: 'Wants e-mails (yes or no)' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
  { value: 'left', label: 'Left or bounced' },
];

/** What will happen to a line, and once it is done, what has happened. */
export const outcomeLabels: Record<LineOutcome, { planned: string; done: string }> = {
  new: { planned: 'New member', done: 'New member' },
  extended: { planned: 'Gets longer access', done: 'Got longer access' },
  member: { planned: 'Already a member', done: 'Already a member' },
  unconfirmed: { planned: 'Address not confirmed', done: 'Address not confirmed' },
  duplicate: { planned: 'Duplicate', done: 'Duplicate' },
  'left-out': { planned: 'Left out', done: 'Left out' },
  invalid: { planned: 'Not valid', done: 'Not valid' },
};
