import { z } from 'zod';
import { isLoopbackName } from './loopback.ts';

export type PaymentsSettings =
  | {
      provider: 'sandbox';
      /** The length of a month; null for calendar months. */
      monthMs: number | null;
    }
  | { provider: 'paystack'; api: string; secretKey: string }
  | { provider: 'stripe'; api: string; secretKey: string; webhookSecret: string };

type Env = Record<string, string | undefined>;

const needed = {
  sandbox: [],
  paystack: ['PAYSTACK_SECRET_KEY'],
  stripe: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
} as const;

/** A site with any of these takes real payments, or is about to. */
export const paymentsProductionSettings = [...needed.paystack, ...needed.stripe] as const;

const keyLike = (pattern: RegExp, example: string) =>
  z.string().regex(pattern, `must be copied from your provider, such as ${example}.`).optional();

/** The origins are settings so that tests can use a fake provider. */
export const paymentsFields = (origin: z.ZodType<string>) => ({
  PAYMENTS: z
    .enum(['sandbox', 'paystack', 'stripe'], { error: 'must be sandbox, paystack or stripe.' })
    .default('sandbox')
    .meta({
      description:
        'The payment provider: `sandbox`, `paystack` or `stripe`. See [Payments](#payments).',
    }),
  SANDBOX_MONTH_SECONDS: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be a whole number of seconds, such as 60.')
    .transform(Number)
    .optional()
    .meta({
      fallback: 'calendar months',
      description:
        'Length of a month in the sandbox, to watch renewals. Periods, grace periods and reminders shrink with it.',
    }),
  PAYSTACK_SECRET_KEY: keyLike(/^sk_(?:live|test)_\w{8,}$/, 'sk_live_0123456789').meta({
    description: 'Required with `PAYMENTS=paystack`: the secret key.',
  }),
  PAYSTACK_API: origin
    .default('https://api.paystack.co')
    .meta({ description: 'Another address of Paystack, for tests.' }),
  STRIPE_SECRET_KEY: keyLike(/^[rs]k_(?:live|test)_\w{8,}$/, 'sk_live_0123456789').meta({
    description: 'Required with `PAYMENTS=stripe`: the secret key or a restricted one.',
  }),
  STRIPE_WEBHOOK_SECRET: keyLike(/^whsec_[\w+/=-]{8,}$/, 'whsec_0123456789').meta({
    description: 'The secret of the webhook endpoint (`whsec_…`).',
  }),
  STRIPE_API: origin
    .default('https://api.stripe.com')
    .meta({ description: 'Another address of Stripe, for tests.' }),
});

type Fields = z.output<z.ZodObject<ReturnType<typeof paymentsFields>>>;

/** False for an invalid origin, which is reported separately. */
const isPublic = (origin = ''): boolean => {
  const url = URL.parse(origin);
  return (
    url?.origin === origin.toLowerCase() &&
    url.protocol === 'https:' &&
    !isLoopbackName(url.hostname)
  );
};

/** Missing settings of the chosen provider, and settings of one that was not chosen. */
export function findPaymentsProblems(env: Env): string[] {
  const chosen = env.PAYMENTS ?? 'sandbox';
  if (chosen !== 'sandbox' && chosen !== 'paystack' && chosen !== 'stripe') return [];
  const problems = needed[chosen]
    .filter((name) => !env[name])
    .map((name) => `${name} is required when PAYMENTS=${chosen} is set.`);
  for (const provider of ['paystack', 'stripe'] as const) {
    const present = needed[provider].filter((name) => env[name]);
    if (provider !== chosen && present.length > 0)
      problems.push(
        `PAYMENTS is ${chosen}, but ${present.join(', ')} is set. Set PAYMENTS=${provider} or remove them.`,
      );
  }
  if (chosen === 'sandbox' && problems.length === 0 && isPublic(env.APP_ORIGIN))
    problems.push(
      'PAYMENTS is sandbox, which gives anyone free Premium with a test card. Set PAYMENTS=paystack or PAYMENTS=stripe with its keys (see docs/operations.md), or use an APP_ORIGIN on this machine.',
    );
  return problems;
}

export function readPayments(fields: Fields): PaymentsSettings {
  // Missing values were already reported by `findPaymentsProblems`.
  const text = (value: string | undefined) => value ?? '';
  if (fields.PAYMENTS === 'paystack')
    return {
      provider: 'paystack',
      api: fields.PAYSTACK_API,
      secretKey: text(fields.PAYSTACK_SECRET_KEY),
    };
  if (fields.PAYMENTS === 'stripe')
    return {
      provider: 'stripe',
      api: fields.STRIPE_API,
      secretKey: text(fields.STRIPE_SECRET_KEY),
      webhookSecret: text(fields.STRIPE_WEBHOOK_SECRET),
    };
  const seconds = fields.SANDBOX_MONTH_SECONDS;
  return { provider: 'sandbox', monthMs: seconds === undefined ? null : seconds * 1000 };
}

/** With a test-mode key anyone can pay with a public test card. */
export const isTestKey = (settings: PaymentsSettings): boolean =>
  settings.provider !== 'sandbox' && /^[rs]k_test_/.test(settings.secretKey);
