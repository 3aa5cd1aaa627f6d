import { DAY } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import type { MailSite, SampleMail } from '../mails/service.ts';
import { buildIssueMail, mailedKinds } from './send-issue-mail.ts';

/** Every mail to administrators about a payment that needs them. */
export const listSampleIssueMails = (
  { config, clock }: Deps,
  site: MailSite,
  recipient: { to: string; username: string },
): SampleMail[] =>
  mailedKinds.map((kind) => ({
    name: `issue-${kind}`,
    write: () =>
      buildIssueMail(
        site,
        {
          issue: {
            kind,
            provider: 'paystack',
            charge_id: '4099260516',
            amount: 7900,
            currency: 'ZAR',
            reason: 'This is where the reason stands.',
            due_at: clock.now() + 2 * DAY,
          },
          member: 'thandi',
          invoice: '000001',
          siteName: config.siteName,
          timeZone: config.timeZone,
        },
        recipient,
      ),
  }));
