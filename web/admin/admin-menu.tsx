import { useId } from 'react';
import { Link, useLocation } from 'wouter';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { useQueryString } from '#web/lib/location/use-query-param.ts';
import { ArrowLeft } from '#web/ui/icons.ts';
import { findPlace, listAdminGroups } from './admin-nav.ts';

/** The groups of the menu for this user, and where in them the page is. */
export function useAdminPlace() {
  const { user } = useCurrentUser();
  const [path] = useLocation();
  const search = useQueryString();
  const groups = user ? listAdminGroups(user) : [];
  const entry = findPlace(
    path + search,
    groups.flatMap(({ entries }) => entries),
  );
  return { groups, entry, path };
}

/** Beside the admin pages, and in a sheet on phones. */
export function AdminMenu() {
  const { groups, entry } = useAdminPlace();
  const id = useId();
  return (
    <nav aria-label="Admin" className="flex flex-col gap-4">
      <Link href="/" className="nav-row">
        <ArrowLeft className="size-4" />
        Back to the site
      </Link>
      {groups.map(({ title, entries }) => (
        <div key={title}>
          <p id={id + title} className="px-2.5 pb-1 text-12 font-semibold text-text-3">
            {title}
          </p>
          <ul aria-labelledby={id + title}>
            {entries.map(({ href, label }) => (
              <li key={href}>
                <Link
                  href={href}
                  aria-current={href === entry?.href ? 'page' : undefined}
                  className="nav-row aria-[current]:bg-raised"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
