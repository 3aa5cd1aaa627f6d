import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ConfirmIdentity } from '#web/features/accounts/confirm-identity.tsx';
import { boot } from '#web/lib/store/boot.ts';
import { PageHead } from '#web/ui/page-head.tsx';

type Tab = {
  href: string;
  label: string;
  /** Pages under other paths that belong to it. */
  others?: string[];
};

const tabs: Tab[] = [
  { href: '/admin', label: 'Overview' },
  { href: '/admin/tracks', label: 'Tracks', others: ['/admin/artists'] },
  { href: '/admin/track-management', label: 'Track management' },
  {
    href: '/admin/upload',
    label: 'Upload',
    others: ['/admin/simple-upload', '/admin/upload-old'],
  },
  { href: '/admin/subscribers', label: 'Subscribers' },
  { href: '/admin/payments', label: 'Payments' },
  { href: '/admin/reports', label: 'Reports' },
  {
    href: '/admin/books',
    label: 'Books',
    others: ['/admin/invoices', '/admin/credit-notes'],
  },
  { href: '/admin/prices', label: 'Prices' },
  { href: '/admin/coupons', label: 'Coupons' },
  { href: '/admin/settings', label: 'Settings' },
  { href: '/admin/legal', label: 'Legal' },
  { href: '/admin/jobs', label: 'Jobs' },
  { href: '/admin/audit', label: 'Audit log' },
  ...(boot.demo ? [{ href: '/admin/outbox', label: 'Outbox' }] : []),
];

const isTabOf = (location: string, { href, others = [] }: Tab): boolean =>
  location === href ||
  [href, ...others].some((path) => path !== '/admin' && `${location}/`.startsWith(`${path}/`));

/** In a narrow page not all tabs fit, so scroll to the current one. */
const showTab = (tab: HTMLElement | null): void =>
  tab?.parentElement?.scrollTo({
    left: tab.offsetLeft - (tab.parentElement.clientWidth - tab.offsetWidth) / 2,
  });

/** Title and tabs of every admin page. */
export function AdminFrame({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  const [location] = useLocation();
  return (
    <>
      <div className="print:hidden">
        <PageHead title={title} lead={lead} />
      </div>
      <nav
        aria-label="Admin"
        className="relative mt-3 flex overflow-x-auto border-b border-line px-[calc(var(--gutter)-0.625rem)] print:hidden"
      >
        {tabs.map((tab) => {
          const { href, label } = tab;
          const isCurrent = isTabOf(location, tab);
          return (
            <Link
              key={href}
              href={href}
              aria-current={isCurrent ? 'page' : undefined}
              {...(isCurrent && { ref: showTab })}
              className={`inline-flex min-h-12 items-center px-2.5 whitespace-nowrap hover:text-text ${isCurrent ? 'font-semibold text-text shadow-[inset_0_-2px_var(--text)]' : 'font-medium text-text-2'}`}
            >
              {label}
            </Link>
          );
        })}
      </nav>
      <div className="flex flex-col gap-8 px-gutter pt-6 print:p-0">{children}</div>
      <ConfirmIdentity />
    </>
  );
}
