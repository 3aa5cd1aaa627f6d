import type { OnceQuote } from '#contract/billing.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { encryptText } from '../../../db/secrets.ts';
import { readSettings, type Settings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../http/guards.ts';
import { newToken } from '../../../http/tokens.ts';
import { recordAcceptance } from '../../legal/service.ts';
import { lockAccount } from '../account-lock.ts';
import { askProvider } from '../ask-provider.ts';
import { findPaidThroughOf, listPaymentsOf, type PaymentRow } from '../queries.ts';
import { REUSED_MS, settleOpenPages } from './checkout.ts';
import { GIFTS } from './gifts.ts';
import { insertPage, openPage } from './open-page.ts';

const YEAR = 12;

/** A year costs what the annual plan costs; other months cost as many monthly payments. */
const priceOfMonths = ({ monthlyPrice, annualPrice }: Settings, months: number): number =>
  months === YEAR ? annualPrice : months * monthlyPrice;

/** What some months would cost, and which time they would add. */
export async function quoteOnce(deps: Deps, viewer: Viewer, months: number): Promise<OnceQuote> {
  const { database, clock, payments } = deps;
  const now = clock.now();
  const settings = await readSettings(database.db, now);
  const from = Math.max((await findPaidThroughOf(database.db, viewer.user.id)) ?? now, now);
  return {
    months,
    currency: CURRENCY,
    amount: priceOfMonths(settings, months),
    from,
    until: payments.calendar.addMonths(from, months),
  };
}

type Purchase = Pick<PaymentRow, 'kind' | 'months' | 'amount' | 'detail'>;

/** Two tabs share a page; a gift always has one of its own. */
const writePage = (deps: Deps, userId: string, purchase: Purchase): Promise<PaymentRow> =>
  deps.database.db.transaction().execute(async (tx) => {
    const now = deps.clock.now();
    await lockAccount(tx, userId);
    await recordAcceptance(tx, userId, 'checkout', now);
    const open = (await listPaymentsOf(tx, userId)).find(
      (row) =>
        row.state === 'open' &&
        row.kind === 'once' &&
        purchase.kind === 'once' &&
        row.months === purchase.months &&
        row.amount === purchase.amount &&
        row.provider === deps.payments.name &&
        row.created_at > now - REUSED_MS,
    );
    return open ?? insertPage(tx, deps, { ...purchase, user_id: userId });
  });

async function start(deps: Deps, viewer: Viewer, purchase: Purchase): Promise<{ url: string }> {
  const { id: userId } = viewer.user;
  await settleOpenPages(deps, userId);
  const row = await writePage(deps, userId, purchase);
  const { months, kind } = row;
  const time = `${months} ${months === 1 ? 'month' : 'months'}`;
  const what = kind === 'gift' ? `Premium as a gift, ${time}` : `Premium, ${time}`;
  return askProvider(deps, () =>
    openPage(deps, viewer, row, {
      description: `${deps.config.siteName} ${what}`,
      successPath: `/subscription-success?reference=${row.reference}`,
      cancelPath: `/pricing?months=${months}&reference=${row.reference}`,
    }),
  );
}

/** Some months, paid once in any way that the provider offers. No card is kept, and nothing renews. */
export async function payOnce(
  deps: Deps,
  viewer: Viewer,
  months: number,
): Promise<{ url: string }> {
  const { amount } = await quoteOnce(deps, viewer, months);
  return start(deps, viewer, { kind: 'once', months, amount, detail: null });
}

/** A gift that anybody with an account can buy. Its link works once it is paid. */
export async function buyGift(
  deps: Deps,
  viewer: Viewer,
  { months, from }: { months: number; from: string },
): Promise<{ url: string }> {
  const { amount } = await quoteOnce(deps, viewer, months);
  const token = await encryptText(deps.database.db, GIFTS, newToken());
  const detail = JSON.stringify({ token, from });
  return start(deps, viewer, { kind: 'gift', months, amount, detail });
}
