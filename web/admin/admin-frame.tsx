import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ConfirmIdentity } from '#web/features/accounts/confirm-identity.tsx';
import { ArrowLeft, ChevronDown } from '#web/ui/icons.ts';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { ScrollArea } from '#web/ui/scroll-area.tsx';
import { AdminMenu, useAdminPlace } from './admin-menu.tsx';
import { findPlace, type AdminPlace } from './admin-nav.ts';

const useMenuSheet = lazyOverlay(
  'dialog',
  () => import('./admin-menu-sheet.tsx'),
  'AdminMenuSheet',
);

/** On phones, where the menu is in a sheet. */
function MenuButton() {
  const sheet = useMenuSheet();
  const { entry } = useAdminPlace();
  return (
    <>
      <button
        type="button"
        className="flex min-h-12 w-full items-center gap-2 border-b border-line px-gutter font-semibold md:hidden print:hidden"
        {...sheet.buttonProps}
      >
        Admin menu
        <span className="ml-auto truncate font-medium text-text-3">{entry?.label}</span>
        <ChevronDown className="size-4 shrink-0 text-text-3" />
      </button>
      {sheet.render({})}
    </>
  );
}

/** The menu beside the page. It stays while pages change. */
export function AdminColumns({ children }: { children: ReactNode }) {
  return (
    <div className="md:-mb-14 md:grid md:min-h-[calc(100dvh-4rem)] md:grid-cols-[13rem_minmax(0,1fr)] print:block">
      <div className="hidden border-r border-line md:block print:hidden">
        <ScrollArea className="sticky top-16 max-h-[calc(100dvh-4rem-var(--dock))] px-3.5 pt-4 pb-6">
          <AdminMenu />
        </ScrollArea>
      </div>
      <div className="@container/content min-w-0 md:pb-14">
        <MenuButton />
        {children}
      </div>
      <ConfirmIdentity />
    </div>
  );
}

const VIEW =
  'inline-flex min-h-11 items-center rounded-pill px-3.5 font-semibold text-text-2 transition-colors hover:text-text aria-[current]:bg-action aria-[current]:text-on-action md:min-h-[38px] @md/content:px-[18px]';

/** The switch between the views of an entry. */
function Views({ label, views }: { label: string; views: readonly AdminPlace[] }) {
  const { path } = useAdminPlace();
  return (
    <nav
      aria-label={`${label} views`}
      className="@max-2xl/content:w-[calc(100cqi-2*var(--gutter))] print:hidden"
    >
      <ul className="inline-flex flex-wrap rounded-[25px] bg-raised p-[3px]">
        {views.map((view) => (
          <li key={view.href}>
            <Link
              href={view.href}
              aria-current={path === view.href ? 'true' : undefined}
              className={VIEW}
            >
              {view.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The head of every admin page: on a page of the menu with its views, below one with the way back. */
export function AdminFrame({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  const { entry, path } = useAdminPlace();
  const place = entry && (findPlace(path, entry.views ?? []) ?? entry);
  const isListed = place?.href.split('?')[0] === path;
  return (
    <>
      <div className="print:hidden">
        {entry && place && !isListed && (
          <Link
            href={place.href}
            className="-mb-5 flex min-h-11 w-fit items-center gap-2 px-gutter pt-2 text-text-2 hover:text-text"
          >
            <ArrowLeft className="size-4" />
            {place !== entry && `${entry.label}: `}
            {place.label}
          </Link>
        )}
        <PageHead
          title={title}
          lead={lead}
          end={entry?.views && isListed && <Views label={entry.label} views={entry.views} />}
        />
      </div>
      <div className="flex flex-col gap-8 px-gutter pt-6 print:p-0">{children}</div>
    </>
  );
}
