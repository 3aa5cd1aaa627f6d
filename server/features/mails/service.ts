import { type MailWords } from '#contract/rules/mail-words.ts';
import type { Db } from '../../db/connect.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { describeError } from '../../jobs/describe-error.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import type { MailSite } from './mail-layout.ts';
import { recordMailTest } from './mail-test.ts';

export { isMailTested } from './mail-test.ts';
export { layOutMail, type MailBlock, type MailContent, type MailSite } from './mail-layout.ts';
export type { MailTrack } from './track-stage.ts';

/** What every mail says and shows of the site. `words` are some that aren't saved. */
export async function readMailSite(
  { config, site, database, clock }: Deps,
  words: { [Name in keyof MailWords]?: string | undefined } = {},
): Promise<MailSite> {
  const { greeting, releaseIntro, releaseEnd, premiumWelcome } = await readSettings(
    database.db,
    clock.now(),
  );
  return {
    look: config.look,
    siteName: config.siteName,
    origin: site.origin,
    dataPrice: config.dataPrice,
    words: {
      greeting: words.greeting ?? greeting,
      releaseIntro: words.releaseIntro ?? releaseIntro,
      releaseEnd: words.releaseEnd ?? releaseEnd,
      premiumWelcome: words.premiumWelcome ?? premiumWelcome,
    },
  };
}

/** One of the mails that the site sends, with examples for what isn't known yet. */
export type SampleMail = {
  name: string;
  write: () => MailMessage | Promise<MailMessage>;
};

/** Who gets the mails to administrators. */
export async function listAdministratorIds(db: Db): Promise<string[]> {
  const admins = await db
    .selectFrom('users')
    .leftJoin('disabled_accounts', 'disabled_accounts.user_id', 'users.id')
    .select('users.id')
    .where('is_admin', '=', 1)
    .where('disabled_accounts.user_id', 'is', null)
    .orderBy('users.id')
    .execute();
  return admins.map(({ id }) => id);
}

/** What an operator wrote, with a paragraph after each empty line. */
export const toParagraphs = (words: string): string[] =>
  words.split(/\n\s*\n/u).filter((paragraph) => paragraph.trim() !== '');

/** Not in a job, so that the administrator who asks for it sees the mail server's answer. */
export async function sendNow({ mail, config, database, clock }: Deps, message: MailMessage) {
  try {
    await mail.send(message, { triesRefused: true });
  } catch (error) {
    const refusal = `The mail server didn’t accept the message: ${describeError(error)}`;
    throw new AppError('mail_refused', { message: refusal });
  }
  await recordMailTest(database.db, config, clock.now());
  return { to: message.to, isSent: config.smtp !== null };
}
