import type { Locator, Page } from '@playwright/test';
import type { AccessReport } from '#contract/admin/billing.ts';
import type { Invoice } from '#contract/paying/invoices.ts';
import type { Page as ListPage } from '#contract/paging.ts';
import { expect, test as base } from '../support/fixtures.ts';
import { authorizationCode } from '#server/testing/paystack-payloads.ts';
import { ADMIN, openPaystackPages, startPaystackSite, type PaystackSite } from './paystack-site.ts';

const test = base.extend<{ site: PaystackSite }>({
  site: async ({ context }, use) => {
    const site = await startPaystackSite();
    await openPaystackPages(context, site);
    await use(site);
    // An open page would report that the server is gone.
    await context.close();
    await site.close();
    expect(site.errors(), 'errors in the server log').toEqual([]);
  },
});
test.use({ viewport: { width: 1440, height: 900 } });

const MEMBER = { username: 'thandi', email: 'thandi@example.com', password: 'correct-horse-7' };

const main = (page: Page): Locator => page.getByRole('main');
const at = (day: string): number => Date.parse(`${day}T10:00:00Z`);

/** What must be the same everywhere after a step. */
type Truth = {
  /** The answer to a request for the whole mix. */
  stream: 200 | 403;
  member: (string | RegExp)[];
  operator: (string | RegExp)[];
  /** Ledger entries that are new since the last step. */
  ledger: string[];
  /** Every invoice, oldest first: number, amount, what became of it, and its credit notes. */
  invoices: string[];
  /** Messages since the last step. */
  mails: string[];
};

async function expectTexts(page: Page, url: string, texts: readonly (string | RegExp)[]) {
  await page.goto(url);
  for (const text of texts) await expect(main(page)).toContainText(text);
}

type Choose = Parameters<PaystackSite['deliver']>[0];

/** Both people at their pages, and everything that the site says to them. */
function createYear(site: PaystackSite, member: Page, operator: Page, userId: string) {
  const { origin, trackId } = site;
  let seen = 0;

  const read = async <T>(page: Page, path: string): Promise<T> => {
    const answer = await page.context().request.get(`${origin}${path}`);
    expect(answer.status(), path).toBe(200);
    return (await answer.json()) as T;
  };

  /** Paystack's events arrive, or not, and the jobs run. */
  const settle = async (choose?: Choose) => {
    await site.deliver(choose);
    await site.runJobs();
  };

  return {
    settle,
    /** Time passes for everyone. */
    passTo: async (day: string, choose?: Choose) => {
      await site.keepSessions();
      site.passTo(at(day));
      for (const page of [member, operator]) await page.context().clock.setFixedTime(site.now());
      await settle(choose);
    },
    expectTruth: async (truth: Truth) => {
      const media = `${origin}/media/tracks/${trackId}/stream`;
      const stream = await member.context().request.get(media);
      expect(stream.status(), 'the stream').toBe(truth.stream);
      const report = await read<AccessReport>(operator, `/api/admin/users/${userId}/access`);
      expect(report.hasAccess, report.reason).toBe(truth.stream === 200);
      const entries = report.entries.map(({ kind }) => kind);
      expect(entries.slice(seen), 'the ledger').toEqual(truth.ledger);
      seen = entries.length;
      const invoices = await read<ListPage<Invoice>>(member, '/api/subscription/invoices');
      const path = `/api/admin/subscribers/${userId}/invoices`;
      expect(await read<ListPage<Invoice>>(operator, path)).toEqual(invoices);
      expect(invoices.items.toReversed().map(formatInvoice)).toEqual(truth.invoices);
      expect(site.takeMails().toSorted(), 'the mails').toEqual(truth.mails.toSorted());
      await Promise.all([
        expectTexts(member, `${origin}/subscription`, truth.member),
        expectTexts(operator, `${origin}/admin/subscribers/${userId}`, [
          ...truth.operator,
          report.reason,
        ]),
      ]);
    },
  };
}

const formatInvoice = ({ number, amount, status, creditNotes }: Invoice): string =>
  [
    number,
    `R${amount / 100}`,
    status,
    ...creditNotes.map((note) => `${note.number} R${note.amount / 100}`),
  ].join(' ');

async function logIn(
  page: Page,
  { origin, keepSessions }: PaystackSite,
  path: string,
  data: object,
) {
  const answer = await page
    .context()
    .request.post(`${origin}${path}`, { data, headers: { origin } });
  expect(answer.ok(), await answer.text()).toBe(true);
  await keepSessions();
  return (await answer.json()) as { id: string };
}

async function payAtPaystack(page: Page, { origin }: PaystackSite) {
  await page.goto(`${origin}/pricing`);
  await main(page).getByRole('button', { name: 'Upgrade to Premium' }).click();
  await page.waitForURL(/^https:\/\/checkout\.paystack\.com\//);
  await page.getByRole('link', { name: 'Pay', exact: true }).click();
  await page.waitForURL(/\/subscription-success\?/);
  await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
}

async function changePlan(page: Page, name: string) {
  await main(page)
    .getByRole('button', { name: /^(?:Change to|Keep) / })
    .click();
  await page.getByRole('dialog').getByRole('button', { name }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

const WHO = MEMBER.email;

test('a year of a monthly subscriber at Paystack', async ({ site, page, browser, problems }) => {
  test.slow();
  // Until the subscription is known, the page offers Premium to everyone without access.
  problems.expect(/\b409\b.* \/api\/checkout\/quote$/);
  const operatorContext = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const operator = await operatorContext.newPage();
  problems.watch(operator);
  for (const one of [page, operator]) await one.context().clock.setFixedTime(site.now());
  const { username, password } = ADMIN;
  await logIn(operator, site, '/api/auth/login', { username, password });
  const { id } = await logIn(page, site, '/api/auth/register', { ...MEMBER, isSubscriber: false });
  const year = createYear(site, page, operator, id);
  await site.verifyEmails();
  site.takeMails();

  await test.step('January: pays; one event comes twice, the other never', async () => {
    await payAtPaystack(page, site);
    await year.settle(([charge]) => (charge ? [charge, charge] : []));
    await year.expectTruth({
      stream: 200,
      member: ['Monthly, renews automatically.', 'Due 15 February'],
      operator: ['Premium, renewing'],
      ledger: ['charge', 'subscribed'],
      invoices: ['000001 R79 paid'],
      mails: [`${WHO}: Welcome to Weekender Premium`, `${WHO}: Your receipt from Weekender: R79`],
    });
  });

  await test.step('February: renews; every event is lost', async () => {
    await year.passTo('2027-02-15', () => []);
    await year.expectTruth({
      stream: 200,
      member: ['Monthly, renews automatically.', 'Due 15 March'],
      operator: ['Premium, renewing'],
      ledger: ['charge'],
      invoices: ['000001 R79 paid', '000002 R79 paid'],
      mails: [`${WHO}: Your receipt from Weekender: R79`],
    });
  });

  const unpaid = ['000001 R79 paid', '000002 R79 paid'];
  const failed = `${WHO}: Your payment for Weekender didn’t go through`;

  await test.step('March: the renewal fails, is tried again, and after three days access ends', async () => {
    const { customer } = site.paystack.transactions.at(-1) ?? {};
    if (customer) site.paystack.setBankAnswer(authorizationCode(customer, 'first'), 'declines');
    await year.passTo('2027-03-15');
    await year.expectTruth({
      stream: 200,
      member: ['R79', 'Pay R79 now', 'You keep it until 18 March', 'On 16 March', 'Pay by20 March'],
      operator: ['Payment overdue', 'owed since 15 Mar 2027'],
      ledger: ['charge-failed'],
      invoices: unpaid,
      mails: [failed],
    });
    await year.passTo('2027-03-16');
    await year.expectTruth({
      stream: 200,
      member: ['Pay R79 now', 'On 18 March'],
      operator: ['Payment overdue'],
      ledger: ['charge-failed'],
      invoices: unpaid,
      mails: [failed],
    });
    await year.passTo('2027-03-18');
    await year.passTo('2027-03-19');
    await year.expectTruth({
      stream: 403,
      member: ['Pay R79 now', 'Paused until this is paid', 'On 20 March'],
      operator: ['Payment overdue'],
      ledger: ['charge-failed'],
      invoices: unpaid,
      mails: [`${WHO}: Your Weekender Premium ends on 20 March 2027 unless you pay`],
    });
  });

  await test.step('March: pays with another card, which is kept', async () => {
    await page.goto(`${site.origin}/subscription`);
    await main(page).getByRole('button', { name: 'Pay R79 now' }).click();
    await page.getByRole('link', { name: 'Use another card' }).click();
    await expect(main(page).getByText('Paid, thank you')).toBeVisible();
    await year.settle((events) => [...events, ...events]);
    await year.expectTruth({
      stream: 200,
      member: ['Monthly, renews automatically.', 'Due 15 April'],
      operator: ['Premium, renewing'],
      ledger: ['charge'],
      invoices: [...unpaid, '000003 R79 paid'],
      mails: [`${WHO}: Your receipt from Weekender: R79`],
    });
  });

  const paidInvoices = (count: number) =>
    Array.from({ length: count }, (_, index) => `00000${index + 1} R79 paid`);

  const before = [...paidInvoices(4), '000005 R79 refunded CN-000001 R79'];

  await test.step('April: renews; events come twice and in reverse', async () => {
    await year.passTo('2027-04-15', (events) => [...events.toReversed(), ...events]);
    await year.expectTruth({
      stream: 200,
      member: ['Monthly, renews automatically.', 'Due 15 May'],
      operator: ['Premium, renewing'],
      ledger: ['charge'],
      invoices: paidInvoices(4),
      mails: [`${WHO}: Your receipt from Weekender: R79`],
    });
  });

  await test.step('April: changes to annual, and back', async () => {
    await changePlan(page, 'Change to annual');
    await year.settle();
    await year.expectTruth({
      stream: 200,
      member: [/Monthly, switching to annual on 1\d May/, 'R790'],
      operator: ['Premium, renewing', 'R790'],
      ledger: ['plan-changed'],
      invoices: paidInvoices(4),
      mails: [],
    });
    await changePlan(page, 'Change to monthly');
    await year.settle();
    await year.expectTruth({
      stream: 200,
      member: ['Monthly, renews automatically.'],
      operator: ['Premium, renewing', 'R79'],
      ledger: ['plan-changed'],
      invoices: paidInvoices(4),
      mails: [],
    });
  });

  await test.step('May: renews once, four days late and at the monthly price; the day stays', async () => {
    await year.passTo('2027-05-19');
    await year.expectTruth({
      stream: 200,
      member: ['Monthly, renews automatically.', 'Due 15 June'],
      operator: ['Premium, renewing'],
      ledger: ['charge'],
      invoices: paidInvoices(5),
      mails: [`${WHO}: Your receipt from Weekender: R79`],
    });
  });

  await test.step('May: the operator refunds the payment, which ends the subscription', async () => {
    await year.passTo('2027-05-25');
    await operator.getByRole('button', { name: 'Refund' }).first().click();
    const dialog = operator.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Asked for it by e-mail.');
    problems.expect(/403 .*\/refund$/);
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    const question = operator.getByRole('dialog', { name: 'Enter your password' });
    await question.getByLabel('Password', { exact: true }).fill(password);
    await question.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog).toHaveCount(0);
    await year.settle();
    await year.expectTruth({
      stream: 403,
      member: ['Your subscription has ended.', 'Refunded', 'CN-000001'],
      operator: ['Ended', 'Refunded', 'CN-000001'],
      ledger: ['refund', 'cancelled'],
      invoices: before,
      mails: [
        `${WHO}: Your refund from Weekender: R79`,
        `${WHO}: Your Weekender subscription is cancelled`,
      ],
    });
  });

  await test.step('June: subscribes again, and the bank opens a dispute', async () => {
    await year.passTo('2027-06-01');
    await payAtPaystack(page, site);
    await year.settle();
    await year.expectTruth({
      stream: 200,
      member: ['Monthly, renews automatically.', 'Due 1 July'],
      operator: ['Premium, renewing'],
      ledger: ['charge', 'subscribed'],
      invoices: [...before, '000006 R79 paid'],
      mails: [`${WHO}: Welcome to Weekender Premium`, `${WHO}: Your receipt from Weekender: R79`],
    });
    const { reference } = site.paystack.transactions.at(-1) ?? { reference: '' };
    site.paystack.dispute(reference);
    await year.settle();
    await year.expectTruth({
      stream: 403,
      member: ['Your bank is deciding about a payment', 'Until then we charge nothing'],
      operator: ['On hold', 'Disputed'],
      ledger: ['dispute'],
      invoices: [...before, '000006 R79 disputed'],
      mails: [`${ADMIN.email}: Dispute of R79 at Weekender: answer by Thu 3 Jun, 12:00`],
    });
    await operator.goto(`${site.origin}/admin`);
    await main(operator)
      .getByRole('link', { name: '1 dispute to answer by Thu 3 Jun, 12:00.' })
      .click();
    const issue = main(operator).getByRole('listitem').filter({ hasText: 'Answer by Thu 3 Jun' });
    await expect(issue).toContainText('in Paystack’s dashboard, under Disputes');
    await expect(issue.getByRole('link', { name: MEMBER.username })).toBeVisible();
  });

  await test.step('June: no one answers in 48 hours, so the dispute is lost and nothing renews', async () => {
    const { reference } = site.paystack.transactions.at(-1) ?? { reference: '' };
    site.paystack.resolveDispute(reference, 'merchant-accepted');
    await year.passTo('2027-06-03', () => []);
    await year.expectTruth({
      stream: 403,
      member: ['Your subscription has ended.', 'Charged back', 'CN-000002'],
      operator: ['Ended', 'Charged back', 'CN-000002'],
      ledger: ['dispute-lost', 'ended'],
      invoices: [...before, '000006 R79 charged-back CN-000002 R79'],
      mails: [],
    });
    const taken = site.paystack.transactions.filter(
      ({ status, amount }) => status === 'success' && amount > 100,
    );
    expect(taken).toHaveLength(6);
  });
  await operatorContext.close();
});
