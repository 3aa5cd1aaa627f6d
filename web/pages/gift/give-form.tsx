import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dayOf } from '#contract/rules/days.ts';
import { CURRENCY, ONCE_MONTHS, priceOnce, type OnceMonths } from '#contract/rules/plans.ts';
import { DAY } from '#contract/rules/time.ts';
import { plansQuery } from '#web/features/billing/api.ts';
import { useRedirect } from '#web/features/billing/checkout/use-checkout.ts';
import { call } from '#web/lib/api/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { Form } from '#web/ui/forms/form.tsx';
import { useOpenedAt, useOpenedOn } from '#web/lib/format/now.ts';
import { readText, type FieldErrors } from '#web/ui/forms/parse-form.ts';
import { Field, TextAreaField } from '#web/ui/forms/field.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { formatMonths } from '#web/features/billing/pay-once/once-texts.ts';

type Delivery = 'link' | 'mail';
const deliveries = [
  { value: 'link', label: 'I give the link' },
  { value: 'mail', label: 'By e-mail, on a day' },
] as const;

/** Works for visitors too: they only say where the receipt goes. */
export function GiveForm() {
  const { user } = useCurrentUser();
  const { data: plans } = useQuery(plansQuery);
  const [months, setMonths] = useState<OnceMonths>(3);
  const [delivery, setDelivery] = useState<Delivery>('link');
  const [recipient, setRecipient] = useState('');
  const { isLeaving, redirect } = useRedirect();
  const amount = plans ? priceOnce(plans, months) : null;
  async function parse(element: HTMLFormElement) {
    const form = new FormData(element);
    const { NewGift } = await import('./gift-rules.ts');
    const parsed = NewGift.safeParse({
      months,
      amount: amount ?? 0,
      from: readText(form, 'from'),
      words: readText(form, 'words').replaceAll('\r\n', '\n'),
      ...(!user && { email: readText(form, 'email') }),
      recipient:
        delivery === 'mail'
          ? { email: readText(form, 'recipientEmail'), day: readText(form, 'day') }
          : null,
    });
    return parsed.success
      ? { data: parsed.data }
      : {
          errors: toGiftErrors(parsed.error.issues.map(({ path, message }) => ({ path, message }))),
        };
  }
  const isOwn = user !== null && recipient.trim().toLowerCase() === user.email.toLowerCase();
  const today = useOpenedOn();
  const lastDay = dayOf(useOpenedAt() + 365 * DAY, boot.timeZone);
  return (
    <Form
      className="flex max-w-[560px] flex-col gap-6"
      submitLabel={
        isLeaving || amount === null ? 'One moment…' : `Pay ${formatMoney(amount, CURRENCY)}`
      }
      busyLabel="One moment…"
      isBlocked={isLeaving || !amount}
      button={{ size: 'lg', className: 'self-start' }}
      parse={parse}
      onSubmit={async (body) => redirect((await call('POST /api/bought-gifts', { body })).url)}
      failed="Couldn’t start the payment. Check your connection and try again."
    >
      {(errors) => (
        <>
          <Segmented
            label="How long"
            options={ONCE_MONTHS.map((value) => ({
              value: `${value}`,
              label: formatMonths(value),
            }))}
            value={`${months}`}
            onValueChange={(value) => setMonths(Number(value) as OnceMonths)}
            className="self-start"
          />
          <Field
            label="From"
            name="from"
            maxLength={60}
            autoComplete="name"
            hint="As they know you."
            error={errors.from}
          />
          <TextAreaField
            label="A few words"
            name="words"
            rows={3}
            maxLength={280}
            hint="Optional. Printed on the card and in the e-mail."
            error={errors.words}
          />
          <Segmented
            label="How they get it"
            options={deliveries}
            value={delivery}
            onValueChange={setDelivery}
            className="self-start"
          />
          {delivery === 'mail' && (
            <div className="grid gap-4 @xl/content:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
              <Field
                label="Their e-mail address"
                name="recipientEmail"
                type="email"
                autoComplete="off"
                value={recipient}
                onChange={({ target }) => setRecipient(target.value)}
                error={errors.recipientEmail}
                hint={isOwn ? 'That’s you: the months are simply added to your time.' : undefined}
              />
              <Field
                label="Day"
                name="day"
                type="date"
                defaultValue={today}
                min={today}
                max={lastDay}
                hint="We send it that morning."
                error={errors.day}
              />
            </div>
          )}
          {!user && (
            <Field
              label="Your e-mail address"
              name="email"
              type="email"
              autoComplete="email"
              hint="For the receipt and the gift’s page. No account needed."
              error={errors.email}
            />
          )}
          <p className="text-13 text-text-2 [&_a]:text-text [&_a]:underline [&_a]:underline-offset-4">
            Nothing renews. If they already have Premium, your gift starts when their time ends.
            {user && ` The receipt goes to ${user.email}.`} By paying you agree to the{' '}
            <a href="/terms" target="_blank" rel="noopener">
              Terms
            </a>
            .
          </p>
        </>
      )}
    </Form>
  );
}

type Issue = { path: readonly PropertyKey[]; message: string };

/** The first error of each field, by the name that it has in the form. */
export function toGiftErrors(issues: readonly Issue[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of issues) {
    const name = String(path.at(-1) ?? 'form');
    errors[path[0] === 'recipient' && name === 'email' ? 'recipientEmail' : name] ??= message;
  }
  return errors;
}
