import type { LineOutcome } from '#contract/admin/member-imports.ts';
import { isInvited } from '../accounts/service.ts';
import type { Member } from './queries.ts';

type Outcome = { outcome: LineOutcome; note: string | null };

/** What an import does with a line, given the account that has its address. Pure. */
export function findOutcome(
  { paidUntil }: { paidUntil: number | null },
  member: Omit<Member, 'id' | 'email_key'> | undefined,
  now: number,
): Outcome {
  const isOver = paidUntil !== null && paidUntil <= now;
  const note = isOver ? 'The paid time in the file is over.' : null;
  if (!member) return { outcome: 'new', note };
  // Anyone could have entered the address of someone who paid elsewhere.
  if (member.email_verified_at === null && !isInvited(member))
    return {
      outcome: 'unconfirmed',
      note: 'Import the file again once they have confirmed their address.',
    };
  if (paidUntil === null || isOver) return { outcome: 'member', note };
  if (paidUntil <= (member.paid_through ?? 0))
    return { outcome: 'member', note: 'Already has this time.' };
  return { outcome: 'extended', note: null };
}
