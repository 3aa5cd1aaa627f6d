import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Redirect, useLocation, Link } from 'wouter';
import { boot } from '#web/lib/store/boot.ts';
import {
  currentUserQuery,
  isOverdueStore,
  saveSessionCopy,
  isStaff,
  useCurrentUser,
} from '#web/lib/api/current-user.ts';
import { afterHydration } from '#web/lib/schedule/schedule.ts';
import { useStore } from '#web/lib/store/store.ts';
import { Loader } from '#web/ui/loader.tsx';
import { ScrollArea } from '#web/ui/scroll-area.tsx';
import { withNext } from '#web/lib/location/next-path.ts';
import { useNext } from '#web/lib/location/use-next.ts';
import { useQueryString } from '#web/lib/location/use-query-param.ts';
import { LazyPlayer } from './lazy-player.tsx';
import { usePlayerUser } from './use-player-user.ts';
import { findRedirect } from '#web/router/guard.ts';
import { PageAtAddress } from '#web/router/page-view.tsx';
import { adminRoute, routes } from '#web/router/routes.ts';
import { Header } from './header.tsx';
import { ConnectionNotice, UnknownUser } from './connection-notice.tsx';
import { Footer } from './footer.tsx';
import { SidebarContent } from './sidebar-content.tsx';
import type { User } from '#contract/accounts.ts';
import { tabItems } from './nav-items.ts';

/** Nobody else learns which admin pages there are. */
const adminTable = [...routes, adminRoute];

export function Shell() {
  const login = useCurrentUser();
  const { user, isLoading, isUnconfirmed, isUnknown } = login;
  const isOverdue = useStore(isOverdueStore);
  const [location] = useLocation();
  const search = useQueryString();
  const client = useQueryClient();
  const main = useSessionCheck(client, location);
  usePlayerUser(login);

  useEffect(() => {
    if (!isUnconfirmed) saveSessionCopy(user);
  }, [user, isUnconfirmed]);

  if (isLoading && !isOverdue) return <Loader siteName={boot.siteName} />;
  const redirect = findRedirect({ path: location, search }, user !== null);
  // A slow answer must not send a logged-in user to the login page.
  if (redirect && !isUnknown) return <Redirect key={redirect} to={redirect} replace />;

  const table = isStaff(user) ? adminTable : routes;
  // Known before the admin pages have loaded, so that nothing moves when they have.
  const isAdmin = table === adminTable && /^\/admin\b/.test(location);
  return (
    <div
      className={`md:grid md:min-h-dvh md:grid-cols-[var(--sidebar)_minmax(0,1fr)] ${isAdmin ? 'admin-shell' : ''}`}
    >
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <aside aria-label="Sidebar" className="sidebar">
        <ScrollArea className="flex h-full flex-col px-3.5 pt-2.5 pb-4">
          <SidebarContent user={user} />
        </ScrollArea>
      </aside>
      <div className="min-w-0">
        <Header user={user} />
        {!redirect && (
          <AfterHeading isNeeded={isUnconfirmed}>
            <ConnectionNotice {...login} />
          </AfterHeading>
        )}
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="@container/content min-h-dvh pb-8 outline-none md:pb-14"
        >
          {redirect ? <UnknownUser /> : <PageAtAddress table={table} />}
        </main>
        <AfterHeading>
          <Footer />
        </AfterHeading>
      </div>
      <LazyPlayer user={user} />
      <MobileTabs user={user} />
    </div>
  );
}

function MobileTabs({ user }: { user: User | null }) {
  const [location] = useLocation();
  const next = useNext();
  return (
    <nav aria-label="Main" className="tab-bar">
      {tabItems(user).map(({ href, label, icon: Icon, keepsNext }) => {
        const isCurrent = location === href;
        return (
          <Link
            key={href}
            href={keepsNext ? withNext(href, next) : href}
            aria-current={isCurrent ? 'page' : undefined}
            className="tab"
          >
            <Icon className="size-5" />
            {label}
          </Link>
        );
      })}
    </nav>
  );
}

type AfterHeadingProps = { isNeeded?: boolean; children: ReactNode };

/** Renders after the heading, or once that is overdue, without rendering anything else again. */
function AfterHeading({ isNeeded = false, children }: AfterHeadingProps) {
  const [isDue, setDue] = useState(false);
  useEffect(() => afterHydration(() => setDue(true), 2_000), []);
  return isDue || isNeeded ? children : null;
}

/** On every page change: checks the login again, and moves focus and scroll to the top. */
function useSessionCheck(client: QueryClient, location: string) {
  const main = useRef<HTMLElement>(null);
  const lastLocation = useRef<string | null>(null);

  useEffect(() => {
    if (lastLocation.current !== null && lastLocation.current !== location) {
      // The page shows first.
      setTimeout(() => void client.invalidateQueries({ queryKey: currentUserQuery.queryKey }));
      main.current?.focus({ preventScroll: true });
      if (traversedTo !== location) window.scrollTo(0, 0);
    }
    traversedTo = null;
    lastLocation.current = location;
  }, [client, location]);
  return main;
}

/** Back and forward keep the scroll position that the browser restores. */
let traversedTo: string | null = null;
if (typeof window !== 'undefined')
  window.addEventListener('popstate', () => {
    traversedTo = window.location.pathname;
  });
