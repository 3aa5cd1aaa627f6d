import {
  PaymentsError,
  type PaymentsErrorKind,
  type Payments,
} from '../../ports/payments/payments.ts';
import { CALLS, killAt, killAtCall } from '../kill-process.ts';
import type { TestApp } from '../test-app.ts';
import type { Failure } from './random-histories.ts';
import { DAY } from '#contract/rules/time.ts';

const YEARS = 5 * 365 * DAY;

const kinds: Partial<Record<Failure['is'], PaymentsErrorKind>> = {
  refusing: 'not-found',
  'rejecting-key': 'unauthorized',
};

function createFailing(payments: Payments, is: Failure['is']): Partial<Payments> {
  if (is === 'ahead')
    return {
      readPayment: async (...input) => {
        const state = await payments.readPayment(...input);
        return { ...state, at: state.at + YEARS };
      },
    };
  const bad = (name: (typeof CALLS)[number]) => {
    const call = payments[name] as (...input: unknown[]) => Promise<unknown>;
    return async (...input: unknown[]) => {
      if (is === 'silent') await call(...input);
      throw new PaymentsError('The provider failed.', kinds[is] ?? 'temporary');
    };
  };
  return Object.fromEntries(CALLS.map((name) => [name, bad(name)]));
}

/** Fails until `restore` is called. */
export function injectFailure({ deps }: TestApp, failure: Failure | null): { restore: () => void } {
  if (failure === null) return { restore: () => undefined };
  const { payments, database } = deps;
  if (failure.is === 'killed') {
    const { at, count, isAfter } = failure;
    const killed =
      at === 'call'
        ? killAtCall(payments, { count, isAfter })
        : killAt(database, { count, isAfter });
    return { restore: () => void killed.restart() };
  }
  const working = { ...payments };
  Object.assign(payments, createFailing(working, failure.is));
  return { restore: () => void Object.assign(payments, working) };
}
