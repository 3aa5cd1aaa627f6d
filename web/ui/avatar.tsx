import type { User } from '#contract/accounts.ts';
import { initials } from '#web/lib/format/initials.ts';

/** The user's picture, or their initials. */
export function Avatar({
  user,
  className = 'size-9',
}: {
  user: Pick<User, 'username' | 'avatarUrl'>;
  className?: string;
}) {
  return (
    <span
      className={`grid shrink-0 place-items-center overflow-hidden rounded-full bg-raised text-12 font-semibold text-text inset-ring inset-ring-line-strong ${className}`}
    >
      {user.avatarUrl ? (
        <img src={user.avatarUrl} alt="" className="size-full object-cover" />
      ) : (
        initials(user.username)
      )}
    </span>
  );
}
