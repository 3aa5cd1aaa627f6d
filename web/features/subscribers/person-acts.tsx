import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invoice } from '#contract/billing.ts';
import type { SubscriberPage } from '#contract/subscribers.ts';
import { call, describeFailure } from '#web/lib/api.ts';
import { showToast } from '#web/lib/toasts.ts';
import { formatMoney, formatShortDate } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { refreshSubscriber } from './api.ts';
import { extendFrom } from './extend-from.ts';

export type PersonAct =
  | { kind: 'grant' }
  | { kind: 'end' }
  | { kind: 'disable' }
  | { kind: 'enable' }
  | { kind: 'admin' }
  | { kind: 'sign-out' }
  | { kind: 'refund'; invoice: Invoice };

type ActsProps = {
  page: SubscriberPage;
  isSelf: boolean;
  onAct: (act: PersonAct) => void;
};

export function PersonActs({ page: { subscriber, subscription }, isSelf, onAct }: ActsProps) {
  const button = (kind: Exclude<PersonAct['kind'], 'refund'>, label: string, isDanger = false) => (
    <Button variant={isDanger ? 'danger' : 'line'} onClick={() => onAct({ kind })}>
      {label}
    </Button>
  );
  return (
    <div role="group" aria-label="Acts" className="flex flex-wrap gap-2">
      {button('grant', 'Give access')}
      {subscription.hasAccess && button('end', 'End subscription', true)}
      {button('admin', subscriber.isAdmin ? 'End administration' : 'Make administrator')}
      {button('sign-out', 'Sign out everywhere')}
      {!isSelf &&
        !subscriber.isDemo &&
        (subscriber.isDisabled
          ? button('enable', 'Open account')
          : button('disable', 'Shut account', true))}
    </div>
  );
}

type DialogProps = { page: SubscriberPage; act: PersonAct; onClose: () => void };

/** One dialog for each act; each says what will happen before it does. */
export function PersonActDialog({ page, act, onClose }: DialogProps) {
  const client = useQueryClient();
  const [now] = useState(() => Date.now());
  const { id, username, isAdmin, paidThrough } = page.subscriber;
  const params = { id };
  const done = async (title: string) => {
    await refreshSubscriber(client);
    showToast({ title });
  };
  const common = {
    onClose,
    reasonLabel: 'Reason',
    describeFailure: (error: unknown) => describeFailure(error, 'This could not be done.'),
  };

  if (act.kind === 'grant')
    return (
      <ReasonDialog
        {...common}
        title="Give access"
        description={`${username} hears everything for as long as you say, counted from ${paidThrough && paidThrough > now ? formatShortDate(paidThrough) : 'today'}. Nothing is charged.`}
        confirmLabel="Give access"
        onConfirm={async (because, form) => {
          const until = extendFrom(Math.max(now, paidThrough ?? 0), {
            count: Number(form.get('count')),
            unit: form.get('unit') === 'months' ? 'months' : 'days',
          });
          await call('POST /api/admin/users/:id/access', {
            params,
            body: { do: 'grant', until, because },
          });
          await done(`${username} has access to ${formatShortDate(until)}`);
        }}
      >
        <div className="flex gap-3">
          <Field label="How many" name="count" type="number" min={1} max={1000} defaultValue={1} />
          <label className="grid w-full content-start gap-1.5 font-medium">
            Of what
            <select
              name="unit"
              defaultValue="months"
              className="h-11 w-full rounded-field border border-line-strong bg-bg px-3 text-16 md:text-14"
            >
              <option value="days">Days</option>
              <option value="months">Months</option>
            </select>
          </label>
        </div>
      </ReasonDialog>
    );
  if (act.kind === 'end')
    return (
      <ReasonDialog
        {...common}
        isDestructive
        title="End subscription"
        description={`${username} is not charged again. What is paid for can stay to its end, or stop now; money already paid is not returned by this.`}
        confirmLabel="End subscription"
        onConfirm={async (because, form) => {
          const isAtOnce = form.get('isAtOnce') === 'on';
          await call('POST /api/admin/subscribers/:id/end', {
            params,
            body: { isAtOnce, because },
          });
          await done(`The subscription of ${username} is ended`);
        }}
      >
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            name="isAtOnce"
            className="size-5 accent-(--action)"
            defaultChecked={page.subscription.nextPayment === null}
          />
          Access ends at once, not with what is paid for
        </label>
      </ReasonDialog>
    );
  if (act.kind === 'refund') {
    const left = act.invoice.amount - act.invoice.refunded;
    return (
      <ReasonDialog
        {...common}
        isDestructive
        title="Pay back"
        description={`The money of invoice ${act.invoice.number} goes back to the card of ${username}. When all of it is paid back, the time it paid for no longer counts.`}
        confirmLabel="Pay back"
        onConfirm={async (because, form) => {
          const amount = Math.round(Number(form.get('amount')) * 100);
          const body = { invoiceId: act.invoice.id, amount, because };
          await call('POST /api/admin/subscribers/:id/refund', { params, body });
          await done(`${formatMoney(amount, act.invoice.currency)} is paid back to ${username}`);
        }}
      >
        <Field
          label="Amount in rand"
          name="amount"
          type="number"
          min={0.01}
          max={left / 100}
          step={0.01}
          defaultValue={left / 100}
          hint={`At most ${formatMoney(left, act.invoice.currency)}.`}
        />
      </ReasonDialog>
    );
  }
  if (act.kind === 'admin')
    return (
      <ReasonDialog
        {...common}
        isDestructive={isAdmin}
        title={isAdmin ? 'End administration' : 'Make administrator'}
        description={
          isAdmin
            ? `${username} no longer sees these pages. Somebody else must stay an administrator.`
            : `${username} may do everything you may: publish, delete, pay back, and make or end administrators, you included.`
        }
        confirmLabel={isAdmin ? 'End administration' : 'Make administrator'}
        onConfirm={async (because) => {
          const body = { isAdmin: !isAdmin, because };
          await call('PUT /api/admin/subscribers/:id/admin', { params, body });
          await done(
            isAdmin
              ? `${username} is no longer an administrator`
              : `${username} is an administrator`,
          );
        }}
      />
    );
  if (act.kind === 'sign-out') {
    const { reasonLabel: _none, ...rest } = common;
    return (
      <ReasonDialog
        {...rest}
        title="Sign out everywhere"
        description={`${username} is signed out on every device and can log in again at once.`}
        confirmLabel="Sign out everywhere"
        onConfirm={async () => {
          await call('DELETE /api/admin/subscribers/:id/sessions', { params });
          await done(`${username} is signed out everywhere`);
        }}
      />
    );
  }
  const isDisabled = act.kind === 'disable';
  return (
    <ReasonDialog
      {...common}
      isDestructive={isDisabled}
      title={isDisabled ? 'Shut account' : 'Open account'}
      description={
        isDisabled
          ? `${username} is signed out on every device and cannot log in until you open the account again. A subscription goes on being charged: end it first if you want that too.`
          : `${username} can log in again.`
      }
      confirmLabel={isDisabled ? 'Shut account' : 'Open account'}
      onConfirm={async (because) => {
        await call('PUT /api/admin/subscribers/:id/disabled', {
          params,
          body: { isDisabled, because },
        });
        await done(
          isDisabled ? `The account of ${username} is shut` : `The account of ${username} is open`,
        );
      }}
    />
  );
}
