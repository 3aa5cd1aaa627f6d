import type { MailSite, SampleMail } from '../mails/service.ts';
import { buildAttentionMail } from './attention-mail.ts';

/** The mails to administrators about what needs a hand. */
export const listSampleAttentionMails = (
  site: MailSite,
  recipient: { to: string; username: string },
): SampleMail[] => [
  {
    name: 'attention-daily',
    write: () =>
      buildAttentionMail(
        site,
        {
          isUrgent: false,
          items: ['1 mix failed to process.', 'The last backup was made Wed 18 Nov, 03:10.'],
          gone: ['The disk has 2.9 GB (9%) left. When it is full, nothing can be saved.'],
        },
        recipient,
      ),
  },
  {
    name: 'attention-now',
    write: () =>
      buildAttentionMail(
        site,
        {
          isUrgent: true,
          items: ['The disk has 2.9 GB (9%) left. When it is full, nothing can be saved.'],
          gone: [],
        },
        recipient,
      ),
  },
];
