import { expect, it } from 'vitest';
import { parseConfig, type Env } from '../../config.ts';
import type { Database } from '../../db/connect.ts';
import { createPayments } from './create-payments.ts';
import { noWork } from './sandbox/store.ts';

const site = { APP_ORIGIN: 'https://music.example' };

it.each<[string, Env]>([
  ['sandbox', {}],
  [
    'paystack',
    {
      ...site,
      PAYMENTS: 'paystack',
      PAYSTACK_SECRET_KEY: 'sk_live_0123456789',
    },
  ],
  [
    'stripe',
    {
      ...site,
      PAYMENTS: 'stripe',
      STRIPE_SECRET_KEY: 'sk_live_0123456789',
      STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
    },
  ],
])('payments go through %s, as the settings say', async (provider, env) => {
  // Not used before the first payment.
  const database = {} as Database;
  const parts = { database, clock: { now: () => 0 }, sandboxWork: noWork };
  const payments = await createPayments(parseConfig(env), {
    ...parts,
    site: { origin: 'https://music.example' },
  });
  expect(payments.name).toBe(provider);
});
