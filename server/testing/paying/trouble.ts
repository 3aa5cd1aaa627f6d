import {
  PaymentsError,
  type ProviderSubscriptionState,
  type Payments,
} from '../../ports/payments/payments.ts';
import { CALLS, killAt, killAtCall } from '../kill-process.ts';
import type { TestApp } from '../test-app.ts';
import type { Trouble } from './events.ts';
import { DAY } from '#contract/rules/time.ts';

const YEARS = 5 * 365 * DAY;

const tellAhead = ({
  providerSubscription,
  charges,
}: ProviderSubscriptionState): ProviderSubscriptionState => ({
  providerSubscription,
  charges: charges.map((charge) => ({ ...charge, at: charge.at + YEARS })),
});

const tellTwice = ({
  providerSubscription,
  charges,
}: ProviderSubscriptionState): ProviderSubscriptionState => ({
  providerSubscription,
  charges: [...charges, ...charges.toReversed()],
});

const fail = (isLasting: boolean) => {
  throw new PaymentsError('The provider has a bad day.', { isLasting });
};

function createBad(payments: Payments, is: Trouble['is']): Partial<Payments> {
  if (is === 'ahead' || is === 'stammering') {
    const twist = is === 'ahead' ? tellAhead : tellTwice;
    return {
      getProviderSubscription: async (id) => twist(await payments.getProviderSubscription(id)),
      listProviderSubscriptions: async (id) =>
        (await payments.listProviderSubscriptions(id)).map(twist),
    };
  }
  const bad = (name: (typeof CALLS)[number]) => {
    const call = payments[name] as (...input: unknown[]) => Promise<unknown>;
    return async (...input: unknown[]) => {
      if (is === 'silent') await call(...input);
      return fail(is === 'refusing');
    };
  };
  return Object.fromEntries(CALLS.map((name) => [name, bad(name)]));
}

/** Lets it go wrong until it is mended. */
export function makeTrouble({ deps }: TestApp, trouble: Trouble | null): { mend: () => void } {
  if (trouble === null) return { mend: () => undefined };
  const { payments, database } = deps;
  if (trouble.is === 'killed') {
    const { at, count, isAfter } = trouble;
    const killed =
      at === 'call'
        ? killAtCall(payments, { call: count, isAfter })
        : killAt(database, { transaction: count, isAfter });
    return { mend: () => void killed.restart() };
  }
  const working = { ...payments };
  Object.assign(payments, createBad(working, trouble.is));
  return { mend: () => void Object.assign(payments, working) };
}
