import { z } from 'zod';
import type { Plan } from '#contract/rules/plans.ts';
import { isLoopbackName } from './loopback.ts';

export type PaymentsSettings =
  | {
      provider: 'sandbox';
      /** How long its months last; null for those of the calendar. */
      monthMs: number | null;
    }
  | { provider: 'paystack'; api: string; secretKey: string; plans: PlanIds }
  | {
      provider: 'stripe';
      api: string;
      secretKey: string;
      webhookSecret: string;
      prices: PlanIds;
    };

/** What the provider calls each plan: first what is sold, then what it was sold as before. */
export type PlanIds = Record<Plan, PlanIdList>;
type PlanIdList = readonly [string, ...string[]];

type Env = Record<string, string | undefined>;

const splitIds = (text: string): string[] => text.split(',').map((id) => id.trim());

const needed = {
  sandbox: [],
  paystack: ['PAYSTACK_SECRET_KEY', 'PAYSTACK_PLAN_MONTHLY', 'PAYSTACK_PLAN_ANNUAL'],
  stripe: [
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'STRIPE_PRICE_MONTHLY',
    'STRIPE_PRICE_ANNUAL',
  ],
} as const;

const planSettings = [
  ['PAYSTACK_PLAN_MONTHLY', 'PAYSTACK_PLAN_ANNUAL'],
  ['STRIPE_PRICE_MONTHLY', 'STRIPE_PRICE_ANNUAL'],
] as const;

/** Whoever sets one of these takes real money, or is about to. */
export const paymentsProductionSettings = [...needed.paystack, ...needed.stripe] as const;

const keyLike = (pattern: RegExp, example: string) =>
  z.string().regex(pattern, `must be the one your provider shows, such as ${example}.`).optional();

/** A price is changed by putting a new one before the old, on which earlier members go on. */
const idsLike = (pattern: RegExp, example: string) =>
  z
    .string()
    .transform(splitIds)
    .refine(
      (ids) => ids.every((id) => pattern.test(id)) && new Set(ids).size === ids.length,
      `must be the one your provider shows, such as ${example}, or several with commas between: the one that is sold, then each one that earlier members still pay.`,
    )
    .optional();

/** The origins are settings so that tests can stand in for the provider. */
export const paymentsFields = (origin: z.ZodType<string>) => ({
  PAYMENTS: z
    .enum(['sandbox', 'paystack', 'stripe'], { error: 'must be sandbox, paystack or stripe.' })
    .default('sandbox'),
  SANDBOX_MONTH_SECONDS: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be a whole number of seconds, such as 60.')
    .transform(Number)
    .optional(),
  PAYSTACK_SECRET_KEY: keyLike(/^sk_(?:live|test)_\w{8,}$/, 'sk_live_0123456789'),
  PAYSTACK_PLAN_MONTHLY: idsLike(/^PLN_\w+$/, 'PLN_0123456789'),
  PAYSTACK_PLAN_ANNUAL: idsLike(/^PLN_\w+$/, 'PLN_0123456789'),
  PAYSTACK_API: origin.default('https://api.paystack.co'),
  STRIPE_SECRET_KEY: keyLike(/^[rs]k_(?:live|test)_\w{8,}$/, 'sk_live_0123456789'),
  STRIPE_WEBHOOK_SECRET: keyLike(/^whsec_[\w+/=-]{8,}$/, 'whsec_0123456789'),
  STRIPE_PRICE_MONTHLY: idsLike(/^price_\w+$/, 'price_0123456789'),
  STRIPE_PRICE_ANNUAL: idsLike(/^price_\w+$/, 'price_0123456789'),
  STRIPE_API: origin.default('https://api.stripe.com'),
});

type Fields = z.output<z.ZodObject<ReturnType<typeof paymentsFields>>>;

/** Only an origin that makes sense: what is wrong with another one is said elsewhere. */
const isPublic = (origin = ''): boolean => {
  const url = URL.parse(origin);
  return (
    url?.origin === origin.toLowerCase() &&
    url.protocol === 'https:' &&
    !isLoopbackName(url.hostname)
  );
};

/** What is missing for the provider that was chosen, and what says that another one was meant. */
export function findPaymentsProblems(env: Env): string[] {
  const chosen = env.PAYMENTS ?? 'sandbox';
  if (chosen !== 'sandbox' && chosen !== 'paystack' && chosen !== 'stripe') return [];
  const problems = needed[chosen]
    .filter((name) => !env[name])
    .map((name) => `${name} is missing: PAYMENTS=${chosen} makes no sense without it.`);
  for (const provider of ['paystack', 'stripe'] as const) {
    const present = needed[provider].filter((name) => env[name]);
    if (provider !== chosen && present.length > 0)
      problems.push(
        `PAYMENTS is ${chosen}, but ${present.join(', ')} is set: set PAYMENTS=${provider}, or remove the rest.`,
      );
  }
  for (const [monthly, annual] of planSettings) {
    const ids = splitIds(env[annual] ?? '');
    const both = splitIds(env[monthly] ?? '').find((id) => id && ids.includes(id));
    if (both)
      problems.push(`${both} is in ${monthly} and in ${annual}: it can be one of them only.`);
  }
  if (chosen === 'sandbox' && problems.length === 0 && isPublic(env.APP_ORIGIN))
    problems.push(
      'PAYMENTS is sandbox, whose test cards would give everybody Premium for nothing: set PAYMENTS=paystack or PAYMENTS=stripe with its keys (see docs/operations.md), or keep APP_ORIGIN on this machine.',
    );
  return problems;
}

export function readPayments(fields: Fields): PaymentsSettings {
  // What is missing has been told before: an empty text stands for it here.
  const text = (value: string | undefined) => value ?? '';
  const ids = ([sold = '', ...before]: readonly string[] = []): PlanIdList => [sold, ...before];
  if (fields.PAYMENTS === 'paystack')
    return {
      provider: 'paystack',
      api: fields.PAYSTACK_API,
      secretKey: text(fields.PAYSTACK_SECRET_KEY),
      plans: {
        monthly: ids(fields.PAYSTACK_PLAN_MONTHLY),
        annual: ids(fields.PAYSTACK_PLAN_ANNUAL),
      },
    };
  if (fields.PAYMENTS === 'stripe')
    return {
      provider: 'stripe',
      api: fields.STRIPE_API,
      secretKey: text(fields.STRIPE_SECRET_KEY),
      webhookSecret: text(fields.STRIPE_WEBHOOK_SECRET),
      prices: {
        monthly: ids(fields.STRIPE_PRICE_MONTHLY),
        annual: ids(fields.STRIPE_PRICE_ANNUAL),
      },
    };
  const seconds = fields.SANDBOX_MONTH_SECONDS;
  return { provider: 'sandbox', monthMs: seconds === undefined ? null : seconds * 1000 };
}

/** A key of the provider's test mode takes test cards, which everybody knows. */
export const isTestKey = (settings: PaymentsSettings): boolean =>
  settings.provider !== 'sandbox' && /^[rs]k_test_/.test(settings.secretKey);
