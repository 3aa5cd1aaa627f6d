import type { Config } from '../../config.ts';
import type { Payments } from './payments.ts';
import type { SandboxParts, SandboxWork } from './sandbox/store.ts';

type Parts = Omit<SandboxParts, 'calendar' | 'work'> & { sandboxWork: SandboxWork };

/** Loads the provider that the settings name, and no other. */
export async function createPayments(
  { payments }: Pick<Config, 'payments'>,
  { database, clock, site, sandboxWork: work }: Parts,
): Promise<Payments> {
  switch (payments.provider) {
    case 'paystack': {
      const { createPaystackPayments } = await import('./paystack/paystack-payments.ts');
      return createPaystackPayments(payments, { clock });
    }
    case 'stripe': {
      const { createStripePayments } = await import('./stripe/stripe-payments.ts');
      return createStripePayments(payments, { clock });
    }
    case 'sandbox': {
      const { createSandbox } = await import('./sandbox/sandbox.ts');
      return createSandbox({ database, clock, site, monthMs: payments.monthMs, work }).payments;
    }
  }
}
