import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { currentUserQuery } from '../api/current-user.ts';
import { createQueryClient } from '../api/query-client.ts';
import { useUpgradePath } from './use-next.ts';

beforeAll(() => void vi.stubGlobal('window', { location: { search: '' } }));
afterAll(() => void vi.unstubAllGlobals());

const member = { id: 'u1', username: 'thandi' } as User;

function readUpgradePath(user: User | null, path: string, search = ''): string {
  const client = createQueryClient();
  client.setQueryData(currentUserQuery.queryKey, user);
  const Path = () => useUpgradePath();
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath={path} ssrSearch={search}>
        <Path />
      </Router>
    </QueryClientProvider>,
  );
}

it('“Upgrade to Premium” leads a visitor to the plans of the landing page, a member to pricing', () => {
  expect(readUpgradePath(null, '/top-20')).toBe('/landing?next=%2Ftop-20#plans');
  expect(readUpgradePath(null, '/login', '?next=%2Flibrary')).toBe(
    '/landing?next=%2Flibrary#plans',
  );
  expect(readUpgradePath(member, '/top-20')).toBe('/pricing');
});
