import { z } from 'zod';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { countAttemptsWithin } from '../../jobs/backoff.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { sendOnce } from '../../jobs/send-once.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { layOutMail, readMailSite, type MailBlock, type MailSite } from '../mails/service.ts';

export type AttentionMail = {
  /** Sent at once instead of in the morning. */
  isUrgent: boolean;
  /** What needs a person. */
  items: readonly string[];
  /** What an earlier mail named and is over. */
  gone: readonly string[];
};

const listLines = (lines: readonly string[]): MailBlock => ({
  html: `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`,
  text: lines.map((line) => `- ${line}`).join('\n'),
});

function writeSubject({ isUrgent, items }: AttentionMail, siteName: string): string {
  const [first = '', ...more] = items;
  if (items.length === 0) return `All clear at ${siteName}`;
  if (!isUrgent)
    return items.length === 1
      ? `1 thing at ${siteName} needs you`
      : `${items.length} things at ${siteName} need you`;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `Now at ${siteName}: ${first.slice(0, 120)}${rest}`;
}

function writeBlocks({ isUrgent, items, gone }: AttentionMail): MailBlock[] {
  const lead = isUrgent ? 'This can’t wait until morning:' : 'This needs a person:';
  const over =
    items.length === 0
      ? 'All clear: nothing needs you. What an earlier mail named is over:'
      : 'All clear for what an earlier mail named:';
  return [
    ...(items.length > 0 ? [lead, listLines(items)] : []),
    ...(gone.length > 0 ? [over, listLines(gone)] : []),
  ];
}

/** For administrators. */
export const buildAttentionMail = (
  site: MailSite,
  mail: AttentionMail,
  recipient: { to: string; username: string },
): MailMessage =>
  layOutMail(site, {
    ...recipient,
    subject: writeSubject(mail, site.siteName),
    blocks: writeBlocks(mail),
    button: { label: 'See what needs a hand', url: `${site.origin}/admin` },
    notes: [
      mail.isUrgent
        ? 'You get such a mail at most once a day about each thing.'
        : 'You get this mail at most once a day, and only when something has changed or still waits after a week.',
    ],
  });

/** Later, Friday’s page and the next mail say it better. */
const WORTH_FOR_MS = 20 * HOUR;

export const sendAttentionMail = defineJob({
  name: 'send-attention-mail',
  lane: 'urgent-mail',
  payload: z.object({
    userId: z.string(),
    key: z.string(),
    plannedAt: z.int(),
    isUrgent: z.boolean(),
    items: z.array(z.string()),
    gone: z.array(z.string()),
  }),
  maxAttempts: countAttemptsWithin(DAY),
  canDiscard: true,
  run: async (deps: Deps, { userId, key, plannedAt, ...mail }, job) => {
    const { database, clock, log } = deps;
    const admin = await database.db
      .selectFrom('users')
      .select(['email', 'email_verified_at', 'username', 'is_admin'])
      .where('id', '=', userId)
      .executeTakeFirst();
    if (admin?.is_admin !== 1 || admin.email_verified_at === null) return;
    if (clock.now() - plannedAt > WORTH_FOR_MS) {
      log.warn({ key }, 'A mail about what needs a hand could not be sent in time.');
      return;
    }
    const recipient = { to: admin.email, username: admin.username };
    const built = buildAttentionMail(await readMailSite(deps), mail, recipient);
    await sendOnce(deps, { ...built, key }, job);
  },
});
