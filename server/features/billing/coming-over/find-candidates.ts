import { CURRENCY } from '#contract/rules/plans.ts';
import type { Deps } from '../../../deps.ts';
import type { ProviderSubscription } from '../../../ports/payments/provider-subscriptions.ts';
import { toAccountKey } from '../../accounts/service.ts';

/** A subscription of the provider, whose it is, and why it can't come over; null if it can. */
export type Candidate = {
  theirs: ProviderSubscription;
  user: { id: string; username: string } | null;
  problem: string | null;
};

/** What the provider says must leave no doubt about what we would charge. */
function findDoubt(theirs: ProviderSubscription, minimum: number): string | null {
  if (theirs.state !== 'renewing') return `It isn’t simply renewing there (${theirs.status}).`;
  if (theirs.plan === null) return 'It isn’t paid by month or by year.';
  if (theirs.currency !== CURRENCY) return `It is paid in ${theirs.currency}.`;
  if (theirs.amount < minimum) return 'Its amount is too small to charge.';
  if (theirs.nextAt === null) return 'The provider doesn’t say when it is charged next.';
  return theirs.card === null ? 'Its card can’t be charged by us.' : null;
}

const toKey = ({ email }: ProviderSubscription): string => toAccountKey(email ?? '');

/**
 * Whose they are is never guessed: the provider's address must be one that a member has confirmed.
 * Only of plans that this site sells, because an account may sell others to the same people.
 */
export async function findCandidates(
  { database, payments }: Deps,
  all: readonly ProviderSubscription[],
): Promise<Candidate[]> {
  const users = await database.db
    .selectFrom('users')
    .leftJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.user_id', '=', 'users.id')
        .on('subscriptions.status', '<>', 'ended'),
    )
    .select(['users.id', 'users.username', 'users.email_key', 'users.email_verified_at'])
    .select('subscriptions.id as own')
    .where('users.email_key', 'in', ['', ...all.map(toKey)])
    .execute();
  return all.map((theirs) => {
    const user = users.find(({ email_key }) => email_key !== '' && email_key === toKey(theirs));
    const findProblem = (): string | null => {
      if (!user) return 'No account has its address.';
      if (user.email_verified_at === null)
        return 'The account with its address hasn’t confirmed it.';
      if (user.own !== null) return 'The member has a subscription here already.';
      const isTwice = all.some((one) => one !== theirs && toKey(one) === user.email_key);
      return isTwice ? 'The member has several there.' : findDoubt(theirs, payments.minimumAmount);
    };
    return { theirs, user: user ?? null, problem: findProblem() };
  });
}
