import { z } from 'zod';
import { formatDayAndTime, formatMoney } from '#contract/rules/format.ts';
import { DAY } from '#contract/rules/time.ts';
import type { PaymentIssuesTable } from '../../db/types/billing-tables.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { countAttemptsWithin } from '../../jobs/backoff.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { formatInvoiceNumber } from '../billing/ledger/service.ts';
import { layOutMail, listAdministratorIds, readMailSite, type MailSite } from '../mails/service.ts';

export const mailedKinds = [
  'dispute',
  'wrong-key',
  'renewals-overdue',
  'refund-failed',
] as const satisfies readonly PaymentIssuesTable['kind'][];

/** What can’t wait until someone opens the dashboard. */
export const isMailed = (kind: PaymentIssuesTable['kind']): boolean =>
  mailedKinds.some((each) => each === kind);

const providerNames: Record<string, string> = {
  paystack: 'Paystack',
  stripe: 'Stripe',
  sandbox: 'the sandbox',
};

export const nameProvider = (provider: string | null): string =>
  providerNames[provider ?? ''] ?? provider ?? 'the payment provider';

type IssueContext = {
  issue: Pick<
    PaymentIssuesTable,
    'kind' | 'provider' | 'charge_id' | 'amount' | 'currency' | 'reason' | 'due_at'
  >;
  /** The name of the member, and the number of the invoice. */
  member: string | null;
  invoice: string | null;
  siteName: string;
  timeZone: string;
};

/** Where and until when to answer. After 48 hours without one, Paystack counts the dispute as lost. */
function explainAnswer({ issue, timeZone }: IssueContext): string {
  const name = nameProvider(issue.provider);
  const deadline =
    issue.due_at === null
      ? `Answer it as soon as you can`
      : `Answer it by ${formatDayAndTime(issue.due_at, timeZone)}`;
  const where =
    issue.provider === 'paystack'
      ? 'in Paystack’s dashboard, under Disputes. Paystack gives you 48 hours'
      : `at ${name}, under Disputes`;
  return `${deadline} ${where}. Without an answer the dispute is lost, and the member’s subscription ends unless you choose to keep it.`;
}

const nameMember = (member: string | null): [string, string] => [
  'Member',
  member ?? 'A deleted account',
];

type IssueText = { subject: string; lines: string[]; facts?: [label: string, value: string][] };

function writeDispute(context: IssueContext): IssueText {
  const { issue, member, invoice, siteName, timeZone } = context;
  const amount =
    issue.amount === null ? 'a payment' : formatMoney(issue.amount, issue.currency ?? '');
  const by = issue.due_at === null ? '' : `: answer by ${formatDayAndTime(issue.due_at, timeZone)}`;
  const facts: IssueText['facts'] = [nameMember(member)];
  if (invoice !== null) facts.push(['Invoice', invoice]);
  if (issue.charge_id !== null)
    facts.push([`Payment at ${nameProvider(issue.provider)}`, issue.charge_id]);
  return {
    subject: `Dispute of ${amount} at ${siteName}${by}`,
    lines: [
      `A member’s bank disputes ${amount}. The money is held, and the period it paid for doesn’t count until the bank decides.`,
      explainAnswer(context),
    ],
    facts,
  };
}

const writeWrongKey = ({ issue, siteName }: IssueContext): IssueText => ({
  subject: `${nameProvider(issue.provider)} refuses the key of ${siteName}`,
  lines: [
    `${nameProvider(issue.provider)} refuses our key: nobody’s subscription changes until it’s right, and nobody can subscribe.`,
    'Check the secret key in the settings of the server, and restart it.',
  ],
});

const writeOverdue = ({ issue, siteName }: IssueContext): IssueText => ({
  subject: `Payments of ${siteName} are overdue`,
  lines: [
    issue.reason,
    'Members keep their access meanwhile, and each of them is charged once when it works again.',
  ],
});

const writeFailedRefund = ({ issue, member, siteName }: IssueContext): IssueText => ({
  subject: `A refund of ${siteName} failed at the bank`,
  lines: [
    issue.reason,
    'The member has been told. Ask for the refund again on the member’s page, or pay it in another way.',
  ],
  facts: [nameMember(member)],
});

const writers: Partial<Record<PaymentIssuesTable['kind'], (context: IssueContext) => IssueText>> = {
  dispute: writeDispute,
  'renewals-overdue': writeOverdue,
  'refund-failed': writeFailedRefund,
};

type Recipient = { to: string; username: string };

/** For administrators. */
export function buildIssueMail(
  site: MailSite,
  context: IssueContext,
  recipient: Recipient,
): MailMessage {
  const { subject, lines, facts = [] } = (writers[context.issue.kind] ?? writeWrongKey)(context);
  const [lead = '', ...more] = lines;
  return layOutMail(site, {
    ...recipient,
    subject,
    blocks: [lead, ...(facts.length > 0 ? [{ facts }] : []), ...more],
    button: { label: 'Open the payments that need you', url: `${site.origin}/admin/payments` },
  });
}

async function findInvoiceNumber(db: Db, issue: PaymentIssuesTable): Promise<string | null> {
  if (issue.charge_id === null || issue.provider === null) return null;
  const row = await db
    .selectFrom('invoices')
    .select('number')
    .where('provider', '=', issue.provider)
    .where('charge_id', '=', issue.charge_id)
    .executeTakeFirst();
  return row ? formatInvoiceNumber(row.number) : null;
}

const findUser = (db: Db, id: string | null) =>
  db
    .selectFrom('users')
    .select(['email', 'email_verified_at', 'username', 'is_admin'])
    .where('id', '=', id ?? '')
    .executeTakeFirst();

export const sendIssueMail = defineJob({
  name: 'send-issue-mail',
  lane: 'mail',
  payload: z.object({ issueId: z.string(), openedAt: z.int(), userId: z.string() }),
  maxAttempts: countAttemptsWithin(2 * DAY),
  run: async (deps: Deps, { issueId, openedAt, userId }) => {
    const { config, mail } = deps;
    const { db } = deps.database;
    const admin = await findUser(db, userId);
    if (!admin || admin.is_admin === 0) return;
    // The mail names a member.
    if (admin.email_verified_at === null) return;
    const issue = await db
      .selectFrom('payment_issues')
      .selectAll()
      .where('id', '=', issueId)
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    if (!issue) return;
    const built = buildIssueMail(
      await readMailSite(deps),
      {
        issue,
        member: (await findUser(db, issue.user_id))?.username ?? null,
        invoice: await findInvoiceNumber(db, issue),
        siteName: config.siteName,
        timeZone: config.timeZone,
      },
      { to: admin.email, username: admin.username },
    );
    await mail.send({ ...built, key: `issue:${issueId}:${openedAt}:${userId}` });
  },
});

/** A job for each, so that one address that fails doesn’t repeat the mail to the others. */
export async function mailAdministrators(tx: Tx, issueId: string, now: number): Promise<void> {
  for (const userId of await listAdministratorIds(tx))
    await enqueue(tx, sendIssueMail, { issueId, openedAt: now, userId }, { now });
}
