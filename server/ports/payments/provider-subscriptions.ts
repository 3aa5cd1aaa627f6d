import type { Plan } from '#contract/rules/plans.ts';
import type { PaymentsSettings } from '../../payments-settings.ts';
import type { SavedCard } from './payments.ts';

/**
 * A subscription that the provider itself charges, from before this site or beside it. We only read
 * and end those: it isn't part of the port, because nothing but coming over needs it.
 */
export type ProviderSubscription = {
  id: string;
  /** The provider's plan or price: an account may sell other things too. */
  planId: string;
  /** Null if it is paid in a rhythm that we don't have. */
  plan: Plan | null;
  /** `ended`: it charges nobody again. `other`: it may, but isn't simply paid up and renewing. */
  state: 'renewing' | 'other' | 'ended';
  /** The provider's word for it. */
  status: string;
  /** Cents of every payment. */
  amount: number;
  currency: string;
  /** When the provider charges next, which is the end of the paid time; null if it doesn't. */
  nextAt: number | null;
  customerId: string;
  email: string | null;
  /** Null if we couldn't charge it. */
  card: SavedCard | null;
};

/** A payment that the provider made for it. */
export type ProviderCharge = { at: number; amount: number; currency: string };

/** Like the port, calls throw `PaymentsError`, and may be repeated. */
export type ProviderSubscriptions = {
  /** All that haven't ended. */
  list: () => Promise<ProviderSubscription[]>;
  read: (id: string) => Promise<ProviderSubscription>;
  /** Paid since then and not given back in full, oldest first. */
  listCharges: (subscription: ProviderSubscription, since: number) => Promise<ProviderCharge[]>;
  /** Asks the provider to charge nobody again. Only reading it afterwards says whether it does. */
  end: (id: string) => Promise<void>;
};

/** Null for the sandbox, which has none. */
export async function createProviderSubscriptions(
  settings: PaymentsSettings,
  clock: { now: () => number },
): Promise<ProviderSubscriptions | null> {
  switch (settings.provider) {
    case 'paystack': {
      const { createPaystackSubscriptions } = await import('./paystack/provider-subscriptions.ts');
      return createPaystackSubscriptions(settings, clock);
    }
    case 'stripe': {
      const { createStripeSubscriptions } = await import('./stripe/provider-subscriptions.ts');
      return createStripeSubscriptions(settings);
    }
    case 'sandbox':
      return null;
  }
}
