import fc from 'fast-check';
import type { Plan } from '#contract/rules/plans.ts';
import type { FakeCard } from './fake-provider.ts';

/** What fails while our side is working. */
export type Failure =
  /** The process dies at this transaction or call of the provider, if it gets that far. */
  | { is: 'killed'; at: 'transaction' | 'call'; count: number; isAfter: boolean }
  /** The provider is down, works but never responds, refuses, rejects our key, or sends wrong data. */
  | { is: 'down' | 'silent' | 'refusing' | 'rejecting-key' | 'ahead' };

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
    /** A page for another card, or for what is owed. */
    | 'card'
    | 'pay'
    /** Months that are paid once, by card or from a bank account. */
    | 'once'
    | 'decide'
    /** The bank treats the member's cards in another way. */
    | 'trouble'
    | 'refund'
    | 'dispute'
    | 'win'
    | 'foreign';
  /** The index of the user. */
  user: number;
  plan: Plan;
  code: 'HALF' | 'MONTH' | null;
  card: FakeCard;
  pick: number;
  failure: Failure | null;
};
export type Step =
  | Action
  /** Time in which the jobs run every day, or the whole site is down. */
  | { do: 'pass'; days: number; isDown: boolean }
  /** The jobs run, by one worker or by two. */
  | { do: 'work'; failure: Failure | null; workers: 1 | 2 }
  /** The clock is wrong for one run of the jobs. */
  | { do: 'jump'; days: number }
  /** A higher price is planned; its mails are sent, or not. */
  | { do: 'raise'; plan: Plan; isSent: boolean };

/** Many histories at the same time: time passes for all users, every other step is one user's. */
export type Histories = { startDay: number; trialDays: number; steps: Step[] };

const anyFailure: fc.Arbitrary<Failure | null> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('killed'),
      at: fc.constantFrom('transaction', 'call'),
      count: fc.integer({ min: 1, max: 6 }),
      isAfter: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constantFrom('down', 'silent', 'refusing', 'rejecting-key', 'ahead'),
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
    plan: fc.constantFrom('monthly', 'monthly', 'annual'),
    code: fc.constantFrom(null, null, 'HALF', 'MONTH'),
    card: fc.constantFrom(
      'pays',
      'pays',
      'pays',
      'pays',
      'declines',
      'is-lost',
      'asks',
      'single',
      'empty',
    ),
    pick: fc.nat(60),
    failure: anyFailure,
  });

const ACTIONS = [
  'skip',
  'buy',
  'buy',
  'return',
  'return',
  'deliver',
  'deliver',
  'cancel',
  'resume',
  'change',
  'gift',
  'card',
  'card',
  'pay',
  'pay',
  'once',
  'decide',
  'trouble',
  'trouble',
  'refund',
  'dispute',
  'win',
  'foreign',
] as const;

const anyTime: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      days: fc.integer({ min: 1, max: 34 }),
      isDown: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('work' as const),
      failure: anyFailure,
      workers: fc.constantFrom(1 as const, 2 as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('jump' as const), days: fc.constantFrom(30, -1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('raise' as const),
      plan: fc.constantFrom('monthly', 'annual'),
      isSent: fc.boolean(),
    }),
  },
);

/** Most users buy first; then anything can happen to any of them. */
export function anyHistories(users: number, most: number): fc.Arbitrary<Histories> {
  const openings = Array.from({ length: users }, (_, user) =>
    anyAction(fc.constant(user), ['skip', 'buy', 'buy', 'buy', 'buy', 'buy']),
  );
  const later = fc.oneof(
    { weight: 4, arbitrary: anyAction(fc.nat(users - 1), ACTIONS) },
    { weight: 1, arbitrary: anyTime },
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
