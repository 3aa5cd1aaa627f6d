import { Link, useLocation } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { tabItems } from './nav-items.ts';

const currentClass =
  'font-semibold text-text before:absolute before:-top-px before:left-1/2 before:h-[3px] before:w-7 before:-translate-x-1/2 before:bg-text';

export function MobileTabs({ user }: { user: User | null }) {
  const [location] = useLocation();
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-40 grid auto-cols-fr grid-flow-col border-t border-line bg-bg pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {tabItems(user).map(({ href, label, icon: Icon }) => {
        const isCurrent = location === href;
        return (
          <Link
            key={href}
            href={href}
            aria-current={isCurrent ? 'page' : undefined}
            className={`relative flex h-16 flex-col items-center justify-center gap-1 text-11 font-medium ${isCurrent ? currentClass : 'text-text-2'}`}
          >
            <Icon aria-hidden className="size-5" strokeWidth={1.75} />
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
