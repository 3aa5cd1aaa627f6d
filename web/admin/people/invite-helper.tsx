import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { call } from '#web/lib/api/api.ts';
import { withConfirmation } from '#web/lib/api/confirm-identity.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { readText } from '#web/ui/forms/parse-form.ts';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { refreshSubscriber } from './api.ts';

export function InviteHelper({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return (
    <ReasonDialog
      title="Invite a helper"
      description="A helper uploads mixes, edits and publishes them with their tracklists, edits artists, writes letters and sees how mixes are played. Never money, members’ addresses, settings, exports or the audit log."
      confirmLabel="Invite"
      failed="Couldn’t invite them."
      onClose={onClose}
      onConfirm={async (_reason, form) => {
        const body = { email: readText(form, 'email').trim() };
        const helper = await withConfirmation(() => call('POST /api/admin/helpers', { body }));
        await refreshSubscriber(client);
        navigate('/admin/subscribers?filter=helper', { replace: true });
        showToast({
          title: `${helper.username} is now a helper`,
          description: 'We’ve e-mailed them.',
        });
      }}
    >
      <Field
        label="E-mail address"
        hint="Of their account, or a new one: then they get a link to choose a password."
        name="email"
        type="email"
        autoComplete="off"
        required
        maxLength={254}
      />
    </ReasonDialog>
  );
}
