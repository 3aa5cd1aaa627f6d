import { Gauge, LogOut } from 'lucide-react';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { boot } from '#web/lib/boot.ts';
import { Logo } from '#web/ui/art/logo.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { NavLink, navRowClass } from './nav-link.tsx';
import { settings, sidebarItems, yourLibraryItems } from './nav-items.ts';
import { PublicAccessPanel, SubscriptionPanel } from './plan-panels.tsx';
import { useLogout } from './use-logout.ts';

/** The same content stands in the sidebar on wide screens and in the sheet on narrow ones. */
export function SidebarContent({ user }: { user: User | null }) {
  const logout = useLogout();
  return (
    <>
      <Link href="/" className="mb-2 inline-flex min-h-11 items-center self-start px-2.5">
        <Logo siteName={boot.siteName} />
      </Link>
      {boot.demo && (
        <p className="mb-2 px-2.5">
          <Tag>Demo mode</Tag>
        </p>
      )}
      <nav aria-label="Main" className="flex flex-col">
        {sidebarItems(user).map((item) => (
          <NavLink key={item.href} {...item} />
        ))}
        {user && (
          <>
            <h2 className="px-2.5 pt-4 pb-1 text-12 font-semibold text-text-3">Your Library</h2>
            {yourLibraryItems(user).map((item) => (
              <NavLink key={item.href} {...item} />
            ))}
          </>
        )}
      </nav>
      <div className="mt-auto flex flex-col pt-3">
        {user ? <SubscriptionPanel user={user} /> : <PublicAccessPanel />}
        {user && <NavLink {...settings} />}
        {user?.isAdmin && <NavLink href="/admin" label="Admin Dashboard" icon={Gauge} />}
        {user && (
          <button type="button" className={navRowClass} onClick={() => void logout()}>
            <LogOut aria-hidden className="size-[18px]" strokeWidth={1.75} />
            Logout
          </button>
        )}
      </div>
    </>
  );
}
