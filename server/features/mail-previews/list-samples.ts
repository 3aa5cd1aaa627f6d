import type { MAIL_GROUPS } from '#contract/admin/mails.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { listSampleAccountMails } from '../accounts/service.ts';
import { listSampleGiftMails, listSamplePaymentMails } from '../billing/service.ts';
import { listSampleAttentionMails } from '../attention/service.ts';
import type { MailSite, SampleMail } from '../mails/service.ts';
import { listSampleIssueMails } from '../payment-issues/service.ts';
import { previewReleaseMail } from '../releases/service.ts';
import { writeTestMail } from '../settings/service.ts';

type Group = (typeof MAIL_GROUPS)[number];

/** Every mail of the site, written to this administrator. */
export function listSamples(
  deps: Deps,
  site: MailSite,
  { viewer, trackId }: { viewer: Viewer; trackId?: string | undefined },
): (SampleMail & { group: Group })[] {
  const { clock, config } = deps;
  const { email: to, username } = viewer.user;
  const recipient = { to, username };
  const example = { ...recipient, now: clock.now(), timeZone: config.timeZone };
  const groups: Record<Group, SampleMail[]> = {
    Releases: [
      {
        name: 'release',
        write: () => previewReleaseMail(deps, site, { viewer, trackId }),
      },
    ],
    Accounts: listSampleAccountMails(site, example),
    Payments: listSamplePaymentMails(deps, site, recipient),
    Gifts: listSampleGiftMails(deps, site, recipient),
    Administrators: [
      ...listSampleAttentionMails(site, recipient),
      ...listSampleIssueMails(deps, site, recipient),
      { name: 'test', write: () => writeTestMail(site, recipient) },
    ],
  };
  return (Object.entries(groups) as [Group, SampleMail[]][]).flatMap(([group, samples]) =>
    samples.map((sample) => ({ ...sample, group })),
  );
}
