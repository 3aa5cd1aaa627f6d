import type { BrowserContext } from '@playwright/test';
import { runAdminCommand } from '#server/features/console/service.ts';
import { PAYSTACK_KEY, startFakePaystack } from '#server/testing/fake-paystack.ts';
import type { Delivery } from '#server/testing/payments-contract/subject.ts';
import { startClockedSite } from './clocked-site.ts';

export const ADMIN = {
  username: 'naledi',
  email: 'naledi@example.com',
  password: 'quiet-harbour-23',
};

/** The 15th, so that every month has this day. */
const START = Date.UTC(2027, 0, 15, 10);

export type PaystackSite = Awaited<ReturnType<typeof startPaystackSite>>;

async function post(url: string, { headers, rawBody }: Delivery) {
  const sent = {
    method: 'POST',
    headers,
    body: new Uint8Array(rawBody),
  };
  const answer = await fetch(url, sent);
  if (!answer.ok) throw new Error(`The webhook answered ${answer.status}.`);
}

/** The real site in production mode, whose payment provider is Paystack as its documentation describes it. */
export async function startPaystackSite() {
  let time = START;
  const clock = { now: () => time };
  const paystack = await startFakePaystack(clock);
  const site = await startClockedSite({
    clock,
    settings: {
      // Its administrator works for a year with a password.
      ADMIN_TWO_STEP: 'optional',
      PAYMENTS: 'paystack',
      PAYSTACK_API: paystack.origin,
      PAYSTACK_SECRET_KEY: PAYSTACK_KEY,
    },
    prepare: (deps) =>
      runAdminCommand(deps, ['create', ADMIN.username, ADMIN.email], {
        askPassword: async () => ADMIN.password,
      }),
  });
  return {
    ...site,
    paystack,
    now: clock.now,
    /** Lets time pass here and at Paystack. */
    passTo: (to: number) => {
      time = to;
    },
    /** Delivers Paystack's events over HTTP, after `choose` has lost, doubled or reordered some. */
    deliver: async (choose: (events: Delivery[]) => Delivery[] = (events) => events) => {
      for (const event of choose(paystack.drainWebhooks()))
        await post(`${site.origin}/api/webhooks/paystack`, event);
    },
    runJobs: async () => {
      // The second round does what one schedule leaves to another, such as mails about a failed charge.
      for (let round = 0; round < 2; round += 1) await site.runJobs();
    },
    /** The messages sent since the last call, as recipient and subject. */
    takeMails: () =>
      site
        .takeMails()
        // Its clock jumps and it has no backup, as its operator is told.
        .filter(({ subject }) => !/^Now at | needs? you$/.test(subject))
        .map(({ to, subject }) => `${to}: ${subject}`),
    close: async () => {
      await site.close();
      await paystack.close();
    },
  };
}

const page = (title: string, body: string) => ({
  contentType: 'text/html',
  body: `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>`,
});
const goTo = (url: string) =>
  page('One moment', `<script>location.replace(${JSON.stringify(url)})</script>`);

/** Paystack's own page, where customers pay with the card they used before, or with another one. */
export async function openPaystackPages(context: BrowserContext, { paystack }: PaystackSite) {
  await context.route('https://checkout.paystack.com/**', async (route) => {
    const url = new URL(route.request().url());
    const [, code = '', card] = url.pathname.split('/');
    const payment = paystack.transactions.find(({ id }) => code === `access_${id}`);
    if (!payment?.callbackUrl) return route.fulfill({ status: 404 });
    if (!card)
      return route.fulfill(
        page(
          'Paystack',
          `<p>R${payment.amount / 100}</p><a href="/${code}/first">Pay</a> <a href="/${code}/second">Use another card</a>`,
        ),
      );
    paystack.pay(payment.reference, card);
    const back = new URL(payment.callbackUrl);
    back.searchParams.set('trxref', payment.reference);
    back.searchParams.set('reference', payment.reference);
    return route.fulfill(goTo(back.href));
  });
}
