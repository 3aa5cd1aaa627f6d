import fc from 'fast-check';
import type { Plan } from '#contract/rules/plans.ts';
import type { CardName } from '../../ports/payments/sandbox/cards.ts';

/** What goes wrong while our side is at work. */
export type Trouble =
  /** The process dies at this transaction or call of the provider, if there are so many. */
  | { is: 'killed'; at: 'transaction' | 'call'; count: number; isAfter: boolean }
  /** The provider is down, does what it is asked and never says so, refuses, or talks nonsense. */
  | { is: 'down' | 'silent' | 'refusing' | 'ahead' | 'stammering' };

export type Act = {
  do:
    | 'rest'
    | 'buy'
    | 'return'
    | 'hear'
    | 'cancel'
    | 'resume'
    | 'change'
    | 'gift'
    | 'card'
    | 'refund'
    | 'dispute'
    | 'win'
    | 'mistake';
  /** Whose history it belongs to. */
  member: number;
  plan: Plan;
  code: 'HALF' | 'MONTH' | null;
  card: CardName;
  pick: number;
  trouble: Trouble | null;
};
export type Happening =
  | Act
  | { do: 'pass'; days: number }
  | { do: 'work'; trouble: Trouble | null };

/** Many histories beside each other: time passes for all of them, everything else for one. */
export type Histories = { startDay: number; trialDays: number; happenings: Happening[] };

const anyTrouble: fc.Arbitrary<Trouble | null> = fc.oneof(
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
      is: fc.constantFrom('down', 'silent', 'refusing', 'ahead', 'stammering'),
    }),
  },
);

/** The first of each list is what a failure is reduced to. */
const anyAct = (member: fc.Arbitrary<number>, does: readonly Act['do'][]): fc.Arbitrary<Act> =>
  fc.record({
    do: fc.constantFrom(...does),
    member,
    plan: fc.constantFrom('monthly', 'annual'),
    code: fc.constantFrom(null, null, 'HALF', 'MONTH'),
    card: fc.constantFrom(
      'success',
      'success',
      'success',
      'pays-once',
      'renews-then-fails',
      'insufficient-funds',
    ),
    pick: fc.nat(60),
    trouble: anyTrouble,
  });

const ACTS = [
  'rest',
  'buy',
  'return',
  'return',
  'hear',
  'hear',
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
] as const;

/** Everybody buys once at first, if it works; then anything happens to anybody. */
export function anyHistories(members: number, most: number): fc.Arbitrary<Histories> {
  const openings = Array.from({ length: members }, (_, member) =>
    anyAct(fc.constant(member), ['rest', 'buy', 'buy', 'buy', 'buy', 'buy']),
  );
  const later = fc.oneof(
    { weight: 9, arbitrary: anyAct(fc.nat(members - 1), ACTS) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('pass' as const),
        days: fc.integer({ min: 1, max: 34 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('work' as const), trouble: anyTrouble }) },
  );
  return fc
    .record({
      startDay: fc.nat(730),
      trialDays: fc.constantFrom(0, 0, 7),
      openings: fc.tuple(...openings),
      later: fc.array(later, { maxLength: most, size: 'max' }),
    })
    .map(({ openings: first, later: then, ...rest }) =>
      asText({ ...rest, happenings: [...first, ...then].filter((one) => one.do !== 'rest') }),
    );
}

/** A failure is read line by line. */
const asText = (histories: Histories): Histories =>
  Object.defineProperty(histories, fc.toStringMethod, {
    value: () =>
      [
        `from day ${histories.startDay}, with a trial of ${histories.trialDays} days:`,
        ...histories.happenings.map((one) => JSON.stringify(one)),
      ].join('\n'),
  });
