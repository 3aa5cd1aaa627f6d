import {
  ChartNoAxesColumn,
  Clock,
  Download,
  Heart,
  House,
  LibraryBig,
  ListMusic,
  LogIn,
  Search,
  Settings,
  Trophy,
  UserPlus,
  type IconComponent,
} from '#web/ui/icons.ts';
import type { User } from '#contract/accounts.ts';
import { hasFullAccess } from '#web/lib/api/current-user.ts';
import { readOffers } from '#web/lib/store/boot.ts';

export type NavItem = {
  href: string;
  label: string;
  icon: IconComponent;
  /** Leads back to the page it was opened from. */
  keepsNext?: boolean;
};

const home: NavItem = { href: '/', label: 'Home', icon: House };
const top20: NavItem = { href: '/top-20', label: 'Top 20', icon: ChartNoAxesColumn };
const search: NavItem = { href: '/search', label: 'Search', icon: Search };
const library: NavItem = { href: '/library', label: 'Library', icon: LibraryBig };
const recentlyPlayed: NavItem = { href: '/recently-played', label: 'Recently Played', icon: Clock };
const favorites: NavItem = { href: '/favorites', label: 'Favorites', icon: Heart };
const downloaded: NavItem = { href: '/downloads', label: 'Downloaded', icon: Download };
const achievements: NavItem = { href: '/achievements', label: 'Achievements', icon: Trophy };
const playlists: NavItem = { href: '/playlists', label: 'Playlists', icon: ListMusic };
const login: NavItem = { href: '/login', label: 'Login', icon: LogIn, keepsNext: true };
const register: NavItem = {
  href: '/register',
  label: 'Register',
  icon: UserPlus,
  keepsNext: true,
};
export const settings: NavItem = { href: '/settings', label: 'Settings', icon: Settings };

export const sidebarItems = (user: User | null): NavItem[] =>
  user ? [home, top20, search, library] : [home, top20, login, register];

/** Nothing where mixes can only be streamed. */
function listKept(): NavItem[] {
  const { mp3, saving } = readOffers();
  return mp3 ? [downloaded] : saving ? [{ ...downloaded, label: 'Saved' }] : [];
}

export const yourLibraryItems = (user: User): NavItem[] => [
  recentlyPlayed,
  favorites,
  ...(hasFullAccess(user) ? listKept() : []),
  achievements,
];

export const tabItems = (user: User | null): NavItem[] =>
  user ? [home, top20, playlists, favorites, library] : [home, top20, login, register];
