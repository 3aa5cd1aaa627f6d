import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invoice } from '#contract/paying/invoices.ts';
import type { SubscriberPage } from '#contract/admin/subscribers.ts';
import { call } from '#web/lib/api/api.ts';
import { withConfirmation } from '#web/lib/api/confirm-identity.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { formatShortDate } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox, Field } from '#web/ui/forms/field.tsx';
import { SelectField } from '#web/ui/forms/select-field.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { DAY } from '#contract/rules/time.ts';
import { refreshSubscriber } from './api.ts';
import { RefundDialog } from './refund-dialog.tsx';

/** Without fields of its own. */
type SimpleKind = 'admin' | 'log-out' | 'turn-off-feed' | 'disable' | 'enable';

export type UserAction =
  | { kind: 'grant' }
  | { kind: 'end' }
  | { kind: SimpleKind }
  | { kind: 'refund'; invoice: Invoice };

type UserActionsProps = {
  page: SubscriberPage;
  isSelf: boolean;
  onAction: (action: UserAction) => void;
};

export function UserActions({
  page: { subscriber, subscription },
  isSelf,
  onAction,
}: UserActionsProps) {
  const button = (
    kind: Exclude<UserAction['kind'], 'refund' | 'turn-off-feed'>,
    label: string,
    isDanger = false,
  ) => (
    <Button variant={isDanger ? 'danger' : 'line'} onClick={() => onAction({ kind })}>
      {label}
    </Button>
  );
  return (
    <div role="group" aria-label="Actions" className="flex flex-wrap gap-2">
      {button('grant', 'Grant access')}
      {(subscription.hasAccess || subscription.renews) && button('end', 'End subscription', true)}
      {button('admin', subscriber.isAdmin ? 'Remove administrator' : 'Make administrator')}
      {subscriber.isHelper && <RemoveHelper subscriber={subscriber} />}
      {button('log-out', 'Log out everywhere')}
      {!isSelf &&
        (subscriber.isDisabled
          ? button('enable', 'Enable account')
          : button('disable', 'Disable account', true))}
    </div>
  );
}

/** At once: nothing they did is lost, and they can be invited again. */
function RemoveHelper({ subscriber: { id, username } }: { subscriber: Member }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/admin/helpers/:id', { params: { id } }),
    onSuccess: async () => {
      await refreshSubscriber(client);
      showToast({ title: `${username} is no longer a helper` });
    },
    onError: (error) => showErrorToast(error, 'Couldn’t remove the helper.'),
  });
  return (
    <Button variant="line" disabled={remove.isPending} onClick={() => remove.mutate()}>
      Remove helper
    </Button>
  );
}

type DialogProps = { page: SubscriberPage; action: UserAction; onClose: () => void };

/** Each dialog explains what will happen. */
export function UserActionDialog({ page, action, onClose }: DialogProps) {
  const client = useQueryClient();
  const [now] = useState(() => Date.now());
  const { id, username, paidThrough } = page.subscriber;
  const params = { id };
  const done = async (title: string) => {
    await refreshSubscriber(client);
    showToast({ title });
  };
  const shared = { onClose, failed: 'That didn’t work.' };
  const common = { ...shared, reasonLabel: 'Reason' };

  if (action.kind === 'grant')
    return (
      <ReasonDialog
        {...common}
        title="Grant access"
        description={`${username} gets full access for the time you set, starting ${paidThrough && paidThrough > now ? formatShortDate(paidThrough) : 'today'}. They won’t be charged.`}
        confirmLabel="Grant access"
        onConfirm={async (reason, form) => {
          const until = extendFrom(Math.max(now, paidThrough ?? 0), {
            count: Number(form.get('count')),
            unit: form.get('unit') === 'months' ? 'months' : 'days',
          });
          await call('POST /api/admin/users/:id/access', {
            params,
            body: { do: 'grant', until, reason },
          });
          await done(`${username} has access until ${formatShortDate(until)}`);
        }}
      >
        <div className="flex gap-3">
          <Field label="Length" name="count" type="number" min={1} max={1000} defaultValue={1} />
          <SelectField
            label="Unit"
            name="unit"
            defaultValue="months"
            options={[
              { value: 'days', label: 'Days' },
              { value: 'months', label: 'Months' },
            ]}
          />
        </div>
      </ReasonDialog>
    );
  if (action.kind === 'end')
    return (
      <ReasonDialog
        {...common}
        isDestructive
        title="End subscription"
        description={`${username} won’t be charged again. ${page.subscription.problem ? 'What is owed is dropped. ' : ''}${page.subscription.hasAccess ? 'Access can run to the end of the paid period or stop now.' : 'There is no access to end.'} This doesn’t refund anything.`}
        confirmLabel="End subscription"
        onConfirm={async (reason, form) => {
          const isImmediate = form.get('isImmediate') === 'on';
          await call('POST /api/admin/subscribers/:id/end', {
            params,
            body: { isImmediate, reason },
          });
          await done(`${username}’s subscription has ended`);
        }}
      >
        <Checkbox
          label="End access immediately"
          name="isImmediate"
          defaultChecked={!page.subscription.renews}
        />
      </ReasonDialog>
    );
  if (action.kind === 'refund')
    return <RefundDialog page={page} invoice={action.invoice} onDone={done} onClose={onClose} />;
  return (
    <ReasonDialog
      {...shared}
      {...describeAction(action.kind, page.subscriber)}
      onConfirm={async (reason) => done(await sendAction(action.kind, page.subscriber, reason))}
    />
  );
}

type Member = SubscriberPage['subscriber'];

/** What an action without fields of its own will do. */
function describeAction(kind: SimpleKind, { username, isAdmin }: Member) {
  const withReason = { reasonLabel: 'Reason' };
  switch (kind) {
    case 'admin': {
      const title = isAdmin ? 'Remove administrator' : 'Make administrator';
      const description = isAdmin
        ? `${username} will lose access to these pages. At least one administrator must remain.`
        : `${username} will have full admin rights: publish, delete, refund, and add or remove administrators, including you.`;
      return { ...withReason, title, description, confirmLabel: title, isDestructive: isAdmin };
    }
    case 'log-out':
      return {
        title: 'Log out everywhere',
        description: `Logs ${username} out on every device. They can log in again.`,
        confirmLabel: 'Log out everywhere',
      };
    case 'turn-off-feed':
      return {
        title: 'Turn off podcast feed',
        description: `The address of ${username}’s podcast feed stops working at once, for everyone who has it. ${username} can create another in the settings.`,
        confirmLabel: 'Turn off',
        isDestructive: true,
      };
    case 'disable':
      return {
        ...withReason,
        title: 'Disable account',
        description: `Logs ${username} out on every device. They can’t log in until you enable the account again. Their subscription keeps renewing; end it separately if needed.`,
        confirmLabel: 'Disable account',
        isDestructive: true,
      };
    case 'enable':
      return {
        ...withReason,
        title: 'Enable account',
        description: `${username} can log in again.`,
        confirmLabel: 'Enable account',
      };
  }
}

/** Returns what happened, for a toast. */
async function sendAction(
  kind: SimpleKind,
  { id, username, isAdmin }: Member,
  reason: string,
): Promise<string> {
  const params = { id };
  switch (kind) {
    case 'admin': {
      const body = { isAdmin: !isAdmin, reason };
      await withConfirmation(() => call('PUT /api/admin/subscribers/:id/admin', { params, body }));
      return `${username} is ${isAdmin ? 'no longer' : 'now'} an administrator`;
    }
    case 'log-out':
      await call('DELETE /api/admin/subscribers/:id/sessions', { params });
      return `${username} is logged out everywhere`;
    case 'turn-off-feed':
      await call('DELETE /api/admin/subscribers/:id/podcast-feed', { params });
      return `${username}’s podcast feed is turned off`;
    case 'disable':
    case 'enable': {
      const body = { isDisabled: kind === 'disable', reason };
      await call('PUT /api/admin/subscribers/:id/disabled', { params, body });
      return `${username}’s account is ${kind}d`;
    }
  }
}

type Span = { count: number; unit: 'days' | 'months' };

/** A month later is the same day of the next month, or the last day of a shorter one. */
export function extendFrom(from: number, { count, unit }: Span): number {
  if (unit === 'days') return from + count * DAY;
  const start = new Date(from);
  const end = new Date(from);
  end.setUTCMonth(start.getUTCMonth() + count);
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0);
  return end.getTime();
}
