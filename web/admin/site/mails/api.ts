import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { MailWords } from '#contract/rules/mail-words.ts';
import { call } from '#web/lib/api/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

export const mailsQuery = apiQuery('GET /api/admin/mails');

export type WantedMail = { name: string; words: MailWords; track: string | null };

const toInput = ({ name, words, track }: WantedMail) => ({
  params: { name },
  body: { words, ...(track !== null && { track }) },
});

/** Also with words that aren't saved. While they are loaded again, the last ones stay. */
export const previewQuery = (wanted: WantedMail) =>
  queryOptions({
    queryKey: [`/api/admin/mails/${wanted.name}/preview`, wanted] as const,
    queryFn: ({ signal }) =>
      call('POST /api/admin/mails/:name/preview', toInput(wanted), { signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: retryOnce,
  });

export const sendTest = (wanted: WantedMail) =>
  call('POST /api/admin/mails/:name/test', toInput(wanted));
