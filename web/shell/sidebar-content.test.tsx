import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Router } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import type { Player } from '#web/player/create-player.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { PlayerContext } from '#web/player/use-player.ts';
import { SidebarContent } from './sidebar-content.tsx';

const free: User = {
  id: '1',
  username: 'free',
  email: 'free@example.com',
  isSubscriber: false,
  isAdmin: false,
  avatarUrl: null,
  offlineUntil: null,
};

/** What the server renders: its texts, and its links as `label address`. */
function render(user: User | null) {
  const client = createQueryClient();
  client.setQueryData(currentUserQuery.queryKey, user);
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <PlayerContext value={createEngineBench().engine as unknown as Player}>
        <Router ssrPath="/">
          <SidebarContent user={user} />
        </Router>
      </PlayerContext>
    </QueryClientProvider>,
  );
  const toText = (part: string) =>
    part
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  const links = [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)];
  return {
    text: toText(html),
    buttons: [...html.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, part = '']) =>
      toText(part),
    ),
    links: links.slice(1).map(([, href = '', part = '']) => `${toText(part)} ${href}`),
  };
}

const SIGNED_IN = [
  'Home /',
  'Top 20 /top-20',
  'Search /search',
  'Library /library',
  'Recently Played /recently-played',
  'Favorites /favorites',
];

describe('the sidebar', () => {
  it('has the library, the plan and the way to Premium for a free member', () => {
    const { text, links, buttons } = render(free);
    expect(links).toEqual([
      ...SIGNED_IN,
      'Achievements /achievements',
      'Upgrade to Premium /pricing',
      'Settings /settings',
    ]);
    expect(text).toMatch(/Your Library .* Subscription Free /);
    expect(text).not.toContain('Full access to all content');
    expect(buttons).toEqual(['Logout']);
  });

  it('has downloads and full access for a subscriber, and nothing to buy', () => {
    const { text, links } = render({ ...free, isSubscriber: true });
    expect(links).toEqual([
      ...SIGNED_IN,
      'Downloaded /downloads',
      'Achievements /achievements',
      'Settings /settings',
    ]);
    expect(text).toContain('Subscription Premium Full access to all content');
  });

  it('has the dashboard for an administrator, who hears everything', () => {
    const { text, links } = render({ ...free, isAdmin: true });
    expect(links.at(-1)).toBe('Admin Dashboard /admin');
    expect(links).toContain('Downloaded /downloads');
    expect(text).toContain('Subscription Premium Full access to all content');
  });

  it('has login and register for a visitor', () => {
    const { text, links, buttons } = render(null);
    expect(links.slice(0, 6)).toEqual([
      'Home /',
      'Top 20 /top-20',
      'Login /login',
      'Register /register',
      'Register /register',
      'Login /login',
    ]);
    expect(text).toContain('Public Access');
    expect(text).not.toContain('Your Library');
    expect(buttons).toEqual([]);
  });
});
