import { CircleUser, CreditCard, Gauge, LogOut } from '#web/ui/icons.ts';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuSeparator,
  MenuTrigger,
} from '#web/ui/overlays/menu.tsx';
import { returnFocus } from '#web/ui/overlays/overlay.ts';
import type { OverlayProps } from '#web/ui/overlays/lazy-overlay.tsx';
import { useLogout } from './use-logout.ts';

type AccountMenuProps = OverlayProps & { user: User };

export function AccountMenu({ user, open, onOpenChange, opener }: AccountMenuProps) {
  const logout = useLogout();
  return (
    <Menu open={open} onOpenChange={onOpenChange}>
      {/* Only an anchor: people press the button underneath. */}
      <MenuTrigger asChild>
        <span aria-hidden tabIndex={-1} className="pointer-events-none absolute inset-0" />
      </MenuTrigger>
      <MenuContent
        aria-labelledby={undefined}
        aria-label="My Account"
        onInteractOutside={(event) => {
          // The button underneath closes the menu with its own click.
          const { target } = event.detail.originalEvent;
          if (target instanceof Node && opener.current?.contains(target)) event.preventDefault();
        }}
        onCloseAutoFocus={(event) => returnFocus(event, opener)}
      >
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
        {user.isAdmin && (
          <MenuItem asChild>
            <Link href="/admin">
              <Gauge />
              Admin Dashboard
            </Link>
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem onSelect={() => void logout()}>
          <LogOut />
          Logout
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
