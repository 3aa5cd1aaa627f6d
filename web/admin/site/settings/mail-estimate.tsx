import { useQuery } from '@tanstack/react-query';
import { describePace } from '#contract/rules/mail-pace.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { formatDateTime } from '#web/lib/format/format.ts';
import { useSettingsDraft } from './settings-form.tsx';

/** How long an e-mail to everyone takes at the pace that is being typed. */
export function MailEstimate() {
  const { data: pace } = useQuery(apiQuery('GET /api/admin/mails/pace'));
  const { typed } = useSettingsDraft();
  const mailsPerHour = /^\d+$/.test(typed.mailsPerHour.trim()) ? Number(typed.mailsPerHour) : null;
  return (
    <div aria-live="polite" className="-mt-2 min-h-5 text-14 text-text-2">
      {pace && mailsPerHour !== null && (
        <p>{describePace(mailsPerHour, pace.members, pace.waiting)}</p>
      )}
      {pace?.pause && (
        <p className="wrap-anywhere">
          The mail server takes no more until {formatDateTime(pace.pause.until)}:{' '}
          {pace.pause.reason}
        </p>
      )}
    </div>
  );
}
