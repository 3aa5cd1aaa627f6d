import { Gauge, LogOut } from '#web/ui/icons.ts';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import { boot } from '#web/lib/store/boot.ts';
import {
  findAdminHome,
  hasFullAccess,
  isStaff,
  useCurrentUser,
} from '#web/lib/api/current-user.ts';
import { plansPath, withNext } from '#web/lib/location/next-path.ts';
import { useNext } from '#web/lib/location/use-next.ts';
import { Logo } from '#web/ui/art/logo.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { settings, sidebarItems, yourLibraryItems, type NavItem } from './nav-items.ts';
import { useLogout } from './use-logout.ts';

/** Shown in the sidebar on wide screens and in the menu sheet on phones. */
export function SidebarContent({ user }: { user: User | null }) {
  const logout = useLogout();
  const { isUnknown } = useCurrentUser();
  return (
    <>
      <Link href="/" className="mb-2 inline-flex min-h-11 items-center self-start px-2.5">
        <Logo />
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
        {user && <SubscriptionPanel user={user} />}
        {!user && !isUnknown && <PublicAccessPanel />}
        {user && <NavLink {...settings} />}
        {user && isStaff(user) && (
          <NavLink href={findAdminHome(user)} label="Admin Dashboard" icon={Gauge} />
        )}
        {user && (
          <button type="button" className="nav-row" onClick={logout}>
            <LogOut className="size-[18px]" />
            Logout
          </button>
        )}
      </div>
    </>
  );
}

function NavLink({ href, label, icon: Icon, keepsNext }: NavItem) {
  const [location] = useLocation();
  const next = useNext();
  const isCurrent = location === href;
  return (
    <Link
      href={keepsNext ? withNext(href, next) : href}
      aria-current={isCurrent ? 'page' : undefined}
      className="nav-row"
    >
      <Icon className="size-[18px] shrink-0" />
      {label}
    </Link>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="mb-2 flex flex-col rounded-panel border border-line p-3 text-13 leading-snug text-text-2"
    >
      <h2 className="pb-1.5 text-12 font-semibold text-text-3">{title}</h2>
      {children}
    </section>
  );
}

const leadClass = 'text-14 font-semibold text-text';

function SubscriptionPanel({ user }: { user: User }) {
  const isPremium = hasFullAccess(user);
  return (
    <Panel title="Subscription">
      <strong className={leadClass}>{isPremium ? 'Premium' : 'Free'}</strong>
      {isPremium ? (
        <p>Full access to all content</p>
      ) : (
        <>
          <p>{PREVIEW_TEXT}s</p>
          <LinkButton href="/pricing" size="sm" className="mt-2.5 px-2 whitespace-normal!">
            Upgrade to Premium
          </LinkButton>
        </>
      )}
    </Panel>
  );
}

function PublicAccessPanel() {
  const next = useNext();
  return (
    <Panel title="Public Access">
      <strong className={leadClass}>You’re listening as a guest</strong>
      <p>{PREVIEW_TEXT}s of every mix. Log in to save favorites and pick up where you left off.</p>
      <LinkButton href={withNext('/register', next)} size="sm" className="mt-2.5">
        Register
      </LinkButton>
      <LinkButton href={withNext('/login', next)} variant="line" size="sm" className="mt-1.5">
        Login
      </LinkButton>
      <Link
        href={plansPath(next)}
        className="mt-1 inline-flex min-h-11 items-center justify-center underline underline-offset-4 hover:text-text md:min-h-9"
      >
        Plans and prices
      </Link>
    </Panel>
  );
}
