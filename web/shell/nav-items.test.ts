import { describe, expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { sidebarItems, tabItems, yourLibraryItems } from './nav-items.ts';

const free: User = {
  id: '1',
  username: 'free',
  email: 'free@example.com',
  isSubscriber: false,
  isAdmin: false,
  avatarUrl: null,
  offlineUntil: null,
};
const premium: User = { ...free, isSubscriber: true };
const admin: User = { ...free, isAdmin: true };
const labels = (items: { label: string }[]) => items.map((item) => item.label);

describe('navigation', () => {
  it('shows a visitor Home, Top 20, Login and Register', () => {
    expect(labels(sidebarItems(null))).toEqual(['Home', 'Top 20', 'Login', 'Register']);
    expect(labels(tabItems(null))).toEqual(['Home', 'Top 20', 'Login', 'Register']);
  });

  it('adds Search and Library for a user', () => {
    for (const user of [free, premium, admin])
      expect(labels(sidebarItems(user))).toEqual(['Home', 'Top 20', 'Search', 'Library']);
  });

  it('has five tabs on a phone for a user', () => {
    const tabs = tabItems(free).map(({ label, href }) => `${label} ${href}`);
    expect(tabs).toEqual([
      'Home /',
      'Top 20 /top-20',
      'Playlists /playlists',
      'Favorites /favorites',
      'Library /library',
    ]);
    for (const user of [premium, admin]) expect(tabItems(user)).toEqual(tabItems(free));
  });

  it('lists Downloaded for subscribers only', () => {
    expect(labels(yourLibraryItems(free))).toEqual([
      'Recently Played',
      'Favorites',
      'Achievements',
    ]);
    expect(labels(yourLibraryItems(premium))).toEqual([
      'Recently Played',
      'Favorites',
      'Downloaded',
      'Achievements',
    ]);
    expect(yourLibraryItems(premium)[2]).toMatchObject({ href: '/downloads' });
    expect(yourLibraryItems(admin)).toEqual(yourLibraryItems(premium));
  });
});
