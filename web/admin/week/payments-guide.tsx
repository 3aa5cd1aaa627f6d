import type { FirstSteps } from '#contract/admin/week.ts';
import { STRIPE_EVENTS } from '#contract/paying/stripe-events.ts';
import { Code } from './code.tsx';

/** What to click and what to set until the site takes real payments. */
export function PaymentsGuide({ steps }: { steps: FirstSteps }) {
  const { provider, origin, isPublic } = steps;
  const hasTestKey = provider !== 'sandbox';
  const addressOf = (name: string) => `${origin}/api/webhooks/${name}`;
  return (
    <>
      <p>
        {hasTestKey
          ? 'The key is for test mode: anybody can pay with a public test card, and no money moves. Use the live key instead.'
          : 'Test mode: only test cards can pay, and no money moves.'}
      </p>
      <div>
        {(provider === 'sandbox' || provider === 'paystack') && (
          <details>
            <summary className={summaryClass}>Connect Paystack</summary>
            <ol className={listClass}>
              {!isPublic && <PublicAddress />}
              <li>
                At Paystack, open Settings, then API Keys &amp; Webhooks, and copy the Live Secret
                Key.
              </li>
              <li>
                On the same page, set the Live Webhook URL to:
                <Code name="Webhook address">{addressOf('paystack')}</Code>
              </li>
              <li>
                On the server, set these and restart:
                <Code name="Settings">{'PAYMENTS=paystack\nPAYSTACK_SECRET_KEY=sk_live_…'}</Code>
              </li>
              {!hasTestKey && <EmptyDatabase />}
            </ol>
          </details>
        )}
        {(provider === 'sandbox' || provider === 'stripe') && (
          <details>
            <summary className={summaryClass}>
              {provider === 'stripe' ? 'Connect Stripe' : 'Stripe instead, outside South Africa'}
            </summary>
            <ol className={listClass}>
              {!isPublic && <PublicAddress />}
              <li>
                In Stripe’s Workbench, under Webhooks, create a destination for your account with
                this address:
                <Code name="Webhook address">{addressOf('stripe')}</Code>
                and these events:
                <Code name="Events">{STRIPE_EVENTS.join('\n')}</Code>
              </li>
              <li>
                On the server, set these and restart. The first is the secret key of your account,
                the second the signing secret of that destination:
                <Code name="Settings">
                  {'PAYMENTS=stripe\nSTRIPE_SECRET_KEY=sk_live_…\nSTRIPE_WEBHOOK_SECRET=whsec_…'}
                </Code>
              </li>
              {!hasTestKey && <EmptyDatabase />}
            </ol>
          </details>
        )}
      </div>
    </>
  );
}

const summaryClass =
  'inline-flex min-h-11 cursor-pointer items-center font-medium text-text underline underline-offset-4';
const listClass =
  'flex list-decimal flex-col gap-3 pt-1 pb-2 pl-5 marker:text-text-3 [&_li]:space-y-1.5';

const PublicAddress = () => (
  <li>
    This address is only known on this machine. Put the site behind https first, and set its address
    on the server:
    <Code name="Address">APP_ORIGIN=https://music.example</Code>
  </li>
);

const EmptyDatabase = () => (
  <li>
    Has anybody paid with a test card here? Then the server asks for an empty database, because test
    payments must not stand between real ones. Your mixes come along:
    <Code name="Commands">
      {'npm run export -- /tmp/mixes   # before\nnpm run import -- /tmp/mixes   # after'}
    </Code>
  </li>
);
