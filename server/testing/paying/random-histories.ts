import fc from 'fast-check';
import type { Plan } from '#contract/rules/plans.ts';
import type { CardName } from '../../ports/payments/sandbox/cards.ts';

/** What fails while our side is working. */
export type Failure =
  /** The process dies at this transaction or call of the provider, if it gets that far. */
  | { is: 'killed'; at: 'transaction' | 'call'; count: number; isAfter: boolean }
  /** The provider is down, works but never responds, refuses, rejects our key, or sends wrong data. */
  | { is: 'down' | 'silent' | 'refusing' | 'rejecting-key' | 'ahead' | 'repeating' };

export type Action = {
  do:
    | 'skip'
    | 'buy'
    | 'return'
    | 'deliver'
    | 'cancel'
    | 'resume'
    | 'change'
    | 'gift'
    | 'card'
    | 'refund'
    | 'dispute'
    | 'win'
    | 'mistake'
    /** The member pays what a failed renewal left unpaid. */
    | 'pay'
    /** The operator edits the price at the provider. */
    | 'edit'
    /** A subscription comes late. */
    | 'arrive'
    | 'foreign';
  /** The index of the user. */
  user: number;
  plan: Plan;
  code: 'HALF' | 'MONTH' | null;
  card: CardName;
  pick: number;
  failure: Failure | null;
};
export type Step = Action | { do: 'pass'; days: number } | { do: 'work'; failure: Failure | null };

/** Many histories at the same time: time passes for all users, every other step is one user's. */
export type Histories = { startDay: number; trialDays: number; steps: Step[] };

const anyFailure: fc.Arbitrary<Failure | null> = fc.oneof(
  { weight: 7, arbitrary: fc.constant(null) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('killed'),
      at: fc.constantFrom('transaction', 'call'),
      count: fc.integer({ min: 1, max: 5 }),
      isAfter: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constantFrom('down', 'silent', 'refusing', 'rejecting-key', 'ahead', 'repeating'),
    }),
  },
);

/** Shrinking a failure prefers the first of each list. */
const anyAction = (
  user: fc.Arbitrary<number>,
  does: readonly Action['do'][],
): fc.Arbitrary<Action> =>
  fc.record({
    do: fc.constantFrom(...does),
    user,
    plan: fc.constantFrom('monthly', 'annual'),
    code: fc.constantFrom(null, null, 'HALF', 'MONTH'),
    card: fc.constantFrom(
      'success',
      'success',
      'success',
      'pays-once',
      'renews-then-fails',
      'insufficient-funds',
      'late-subscription',
      'one-payment',
    ),
    pick: fc.nat(60),
    failure: anyFailure,
  });

const ACTIONS = [
  'skip',
  'buy',
  'return',
  'return',
  'deliver',
  'deliver',
  'cancel',
  'resume',
  'change',
  'change',
  'gift',
  'card',
  'refund',
  'refund',
  'dispute',
  'win',
  'mistake',
  'pay',
  'pay',
  'edit',
  'arrive',
  'foreign',
] as const;

/** Most users buy first; then anything can happen to any of them. */
export function anyHistories(users: number, most: number): fc.Arbitrary<Histories> {
  const openings = Array.from({ length: users }, (_, user) =>
    anyAction(fc.constant(user), ['skip', 'buy', 'buy', 'buy', 'buy', 'buy']),
  );
  const later = fc.oneof(
    { weight: 9, arbitrary: anyAction(fc.nat(users - 1), ACTIONS) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('pass' as const),
        days: fc.integer({ min: 1, max: 34 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('work' as const), failure: anyFailure }) },
  );
  return fc
    .record({
      startDay: fc.nat(730),
      trialDays: fc.constantFrom(0, 0, 7),
      openings: fc.tuple(...openings),
      later: fc.array(later, { maxLength: most, size: 'max' }),
    })
    .map(({ openings: first, later: then, ...rest }) =>
      asText({ ...rest, steps: [...first, ...then].filter((one) => one.do !== 'skip') }),
    );
}

/** Prints a failing history line by line. */
const asText = (histories: Histories): Histories =>
  Object.defineProperty(histories, fc.toStringMethod, {
    value: () =>
      [
        `from day ${histories.startDay}, with a ${histories.trialDays}-day trial:`,
        ...histories.steps.map((one) => JSON.stringify(one)),
      ].join('\n'),
  });
