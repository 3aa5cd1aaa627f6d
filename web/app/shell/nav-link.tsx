import { Link, useLocation } from 'wouter';
import type { NavItem } from './nav-items.ts';

export const navRowClass =
  'relative flex min-h-11 w-full items-center gap-3 rounded-lg px-2.5 text-left font-medium text-text-2 transition-colors duration-(--t-1) hover:bg-surface hover:text-text md:min-h-9';

const currentClass =
  'font-semibold text-text before:absolute before:inset-y-2 before:-left-3.5 before:w-[3px] before:bg-text';

export function NavLink({ href, label, icon: Icon }: NavItem) {
  const [location] = useLocation();
  const isCurrent = location === href;
  return (
    <Link
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      className={`${navRowClass} ${isCurrent ? currentClass : ''}`}
    >
      <Icon aria-hidden className="size-[18px] shrink-0" strokeWidth={1.75} />
      {label}
    </Link>
  );
}
