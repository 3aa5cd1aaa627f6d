import { CircleUser, CreditCard, Gauge, LogOut } from '#web/ui/icons.ts';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { findAdminHome, isStaff } from '#web/lib/api/current-user.ts';
import { AnchoredMenu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/overlays/menu.tsx';
import type { OverlayProps } from '#web/ui/overlays/lazy-overlay.tsx';
import { useLogout } from './use-logout.ts';

type AccountMenuProps = OverlayProps & { user: User };

export function AccountMenu({ user, ...overlay }: AccountMenuProps) {
  const logout = useLogout();
  return (
    <AnchoredMenu label="My Account" {...overlay}>
      <MenuLabel>My Account</MenuLabel>
      <MenuItem asChild>
        <Link href="/profile">
          <CircleUser />
          Profile
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href="/subscription">
          <CreditCard />
          Subscription
        </Link>
      </MenuItem>
      {isStaff(user) && (
        <MenuItem asChild>
          <Link href={findAdminHome(user)}>
            <Gauge />
            Admin Dashboard
          </Link>
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem onSelect={logout}>
        <LogOut />
        Logout
      </MenuItem>
    </AnchoredMenu>
  );
}
