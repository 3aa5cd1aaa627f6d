import type { Config } from '../../config.ts';
import type { Payments } from './payments.ts';
import type { SandboxParts, SandboxWork } from './sandbox/store.ts';

type Parts = Omit<SandboxParts, 'calendar' | 'work'> & { sandboxWork: SandboxWork };

/** Loads the provider that the settings name, and no other. */
export async function createPayments(
  config: Pick<Config, 'payments' | 'timeZone'>,
  { database, clock, site, sandboxWork: work }: Parts,
): Promise<Payments> {
  const { payments } = config;
  const timeZone = () => config.timeZone;
  switch (payments.provider) {
    case 'paystack': {
      const { createPaystackPayments } = await import('./paystack/paystack-payments.ts');
      return createPaystackPayments(payments, { clock, timeZone });
    }
    case 'stripe': {
      const { createStripePayments } = await import('./stripe/stripe-payments.ts');
      return createStripePayments(payments, { clock, timeZone });
    }
    case 'sandbox': {
      const { createSandbox } = await import('./sandbox/sandbox.ts');
      return createSandbox({ database, clock, site, timeZone, monthMs: payments.monthMs, work })
        .payments;
    }
  }
}
