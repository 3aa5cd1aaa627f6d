import { z } from 'zod';
import { formatDayAndTime, formatMoney } from '#contract/rules/format.ts';
import { DAY } from '#contract/rules/time.ts';
import type { PaymentIssuesTable } from '../../db/types/billing-tables.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { countAttemptsWithin } from '../../jobs/backoff.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { formatInvoiceNumber } from '../billing/ledger/service.ts';

const mailedKinds: readonly PaymentIssuesTable['kind'][] = [
  'dispute',
  'wrong-key',
  'renewals-overdue',
  'refund-failed',
];

/** What can’t wait until someone opens the dashboard. */
export const isMailed = (kind: PaymentIssuesTable['kind']): boolean => mailedKinds.includes(kind);

const providerNames: Record<string, string> = {
  paystack: 'Paystack',
  stripe: 'Stripe',
  sandbox: 'the sandbox',
};

const nameProvider = (provider: string | null): string =>
  providerNames[provider ?? ''] ?? provider ?? 'the payment provider';

type IssueContext = {
  issue: PaymentIssuesTable;
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

function writeDispute(context: IssueContext): { subject: string; lines: string[] } {
  const { issue, member, invoice, siteName, timeZone } = context;
  const amount =
    issue.amount === null ? 'a payment' : formatMoney(issue.amount, issue.currency ?? '');
  const by = issue.due_at === null ? '' : `: answer by ${formatDayAndTime(issue.due_at, timeZone)}`;
  const facts = [
    `Member: ${member ?? 'a deleted account'}`,
    ...(invoice === null ? [] : [`Invoice: ${invoice}`]),
    ...(issue.charge_id === null
      ? []
      : [`Payment at ${nameProvider(issue.provider)}: ${issue.charge_id}`]),
  ];
  return {
    subject: `Dispute of ${amount} at ${siteName}${by}`,
    lines: [
      `A member’s bank disputes ${amount}. The money is held, and the period it paid for doesn’t count until the bank decides.`,
      ...facts,
      explainAnswer(context),
    ],
  };
}

const writeWrongKey = ({ issue, siteName }: IssueContext) => ({
  subject: `${nameProvider(issue.provider)} refuses the key of ${siteName}`,
  lines: [
    `${nameProvider(issue.provider)} refuses our key: nobody’s subscription changes until it’s right, and nobody can subscribe.`,
    'Check the secret key in the settings of the server, and restart it.',
  ],
});

const writeOverdue = ({ issue, siteName }: IssueContext) => ({
  subject: `Payments of ${siteName} are overdue`,
  lines: [
    issue.reason,
    'Members keep their access meanwhile, and each of them is charged once when it works again.',
  ],
});

const writeFailedRefund = ({ issue, member, siteName }: IssueContext) => ({
  subject: `A refund of ${siteName} failed at the bank`,
  lines: [
    issue.reason,
    `Member: ${member ?? 'a deleted account'}`,
    'The member has been told. Ask for the refund again on the member’s page, or pay it in another way.',
  ],
});

const writers: Partial<
  Record<
    PaymentIssuesTable['kind'],
    (context: IssueContext) => { subject: string; lines: string[] }
  >
> = {
  dispute: writeDispute,
  'renewals-overdue': writeOverdue,
  'refund-failed': writeFailedRefund,
};

/** For administrators, as plain text and as HTML. */
function buildIssueMail(
  context: IssueContext,
  { to, origin }: { to: string; origin: string },
): MailMessage {
  const { issue } = context;
  const { subject, lines } = (writers[issue.kind] ?? writeWrongKey)(context);
  const url = `${origin}/admin/payments`;
  const html = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return {
    to,
    subject,
    text: `${[...lines, `Payment issues: ${url}`].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">\n${html}\n<p><a href="${escapeHtml(url)}">Payment issues</a></p>\n</body></html>`,
  };
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
  run: async ({ database, config, site, mail }: Deps, { issueId, openedAt, userId }) => {
    const { db } = database;
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
      {
        issue,
        member: (await findUser(db, issue.user_id))?.username ?? null,
        invoice: await findInvoiceNumber(db, issue),
        siteName: config.siteName,
        timeZone: config.timeZone,
      },
      { to: admin.email, origin: site.origin },
    );
    await mail.send({ ...built, key: `issue:${issueId}:${openedAt}:${userId}` });
  },
});

/** A job for each, so that one address that fails doesn’t repeat the mail to the others. */
export async function mailAdministrators(tx: Tx, issueId: string, now: number): Promise<void> {
  const admins = await tx
    .selectFrom('users')
    .leftJoin('disabled_accounts', 'disabled_accounts.user_id', 'users.id')
    .select('users.id')
    .where('is_admin', '=', 1)
    .where('disabled_accounts.user_id', 'is', null)
    .execute();
  for (const { id: userId } of admins)
    await enqueue(tx, sendIssueMail, { issueId, openedAt: now, userId }, { now });
}
