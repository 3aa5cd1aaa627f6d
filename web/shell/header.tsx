import { Menu, Search, SunMoon } from '#web/ui/icons.ts';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { hasFullAccess, useCurrentUser } from '#web/lib/api/current-user.ts';
import { useStore } from '#web/lib/store/store.ts';
import { setTheme, themeStore } from '#web/lib/store/theme.ts';
import { useUpgradePath } from '#web/lib/location/use-next.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Logo } from '#web/ui/art/logo.tsx';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';
import { HeaderSearchBox, useHeaderSearch } from './search-box.tsx';
import { initials } from '#web/lib/format/initials.ts';
import { Avatar } from '#web/ui/avatar.tsx';

const useAccountMenu = lazyOverlay('menu', () => import('./account-menu.tsx'), 'AccountMenu');
const useMobileSheet = lazyOverlay('dialog', () => import('./mobile-sheet.tsx'), 'MobileSheet');

export function Header({ user }: { user: User | null }) {
  const { isUnknown } = useCurrentUser();
  const sheet = useMobileSheet();
  const search = useHeaderSearch();
  const upgradePath = useUpgradePath();
  return (
    <header className="page-header">
      <IconButton
        label="Open menu"
        aria-expanded={sheet.open}
        className="md:hidden"
        {...sheet.buttonProps}
      >
        <Menu className="size-5" />
      </IconButton>
      {sheet.render({ user })}
      <Link href="/" className="mr-auto inline-flex min-h-11 min-w-0 items-center px-1 md:hidden">
        <Logo className="@max-[23.5rem]/header:[&>span]:sr-only" />
      </Link>
      <HeaderSearchBox {...search.box} />
      <div className="flex items-center @min-[36rem]/header:gap-2">
        {!isUnknown && !hasFullAccess(user) && (
          <Link
            href={upgradePath}
            aria-label="Upgrade to Premium"
            className="inline-flex min-h-11 items-center px-2 font-semibold text-text underline-offset-4 hover:underline max-md:text-[min(0.8125rem,4.2vw)] md:min-h-10"
          >
            Upgrade<span className="hidden @min-[36rem]/header:inline">&nbsp;to Premium</span>
          </Link>
        )}
        <IconButton label="Search" className="md:hidden" {...search.buttonProps}>
          <Search className="size-5" />
        </IconButton>
        <ThemeToggle />
        {user && <AccountButton user={user} />}
      </div>
    </header>
  );
}

function ThemeToggle() {
  const theme = useStore(themeStore);
  const next = theme === 'dark' ? 'light' : 'dark';
  return (
    <IconButton label={`Switch to ${next} theme`} onClick={() => setTheme(next)}>
      <SunMoon className="size-5" />
    </IconButton>
  );
}

function AccountButton({ user }: { user: User }) {
  const menu = useAccountMenu();
  return (
    <div className="relative">
      <button
        type="button"
        aria-label={`My Account, ${initials(user.username)}`}
        {...menu.buttonProps}
        className="grid size-11 place-items-center rounded-full md:size-10"
      >
        <Avatar user={user} />
      </button>
      {menu.render({ user })}
    </div>
  );
}
