import { afterEach, describe, expect, it, vi } from 'vitest';
import { HealthStatus } from '#contract/system.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import { overallStatus, publishHealthReport } from './health-report.ts';

it('a status is ok, degraded or error', () => {
  expect(HealthStatus.options).toEqual(['ok', 'degraded', 'error']);
});

it.each([
  [[], 'ok'],
  [['ok', 'ok'], 'ok'],
  [['ok', 'degraded', 'ok'], 'degraded'],
  [['degraded', 'error', 'ok'], 'error'],
  [['error', 'degraded'], 'error'],
] satisfies [HealthStatus[], HealthStatus][])(
  'components %j have the overall status %s',
  (parts, whole) => {
    expect(overallStatus(parts)).toBe(whole);
  },
);

type Site = {
  /** Null: no response. */
  '/api/health': [number, string] | null;
  '/healthz': [number, string] | null;
  '/api/auth/me': [number, string] | null;
  isOnline: boolean;
  hasStorage: boolean;
  hasRenderError: boolean;
};

const healthySite: Site = {
  '/api/health': [200, '{"status":"ok"}'],
  '/healthz': [200, 'ok'],
  // A visitor.
  '/api/auth/me': [401, '{"code":"unauthenticated"}'],
  isOnline: true,
  hasStorage: true,
  hasRenderError: false,
};

describe('the full check', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  async function check(change: Partial<Site>) {
    const site = { ...healthySite, ...change };
    const asked: string[] = [];
    vi.stubGlobal('fetch', (url: '/api/health' | '/healthz' | '/api/auth/me') => {
      asked.push(url);
      const [status, body] = site[url] ?? [];
      return status ? Promise.resolve(new Response(body, { status })) : Promise.reject(Error(url));
    });
    vi.stubGlobal('navigator', { onLine: site.isOnline });
    vi.stubGlobal('window', {});
    vi.stubGlobal('localStorage', {
      setItem: () => {
        if (!site.hasStorage) throw new Error('Storage is blocked.');
      },
      removeItem: () => {},
    });
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    // Whether a section has failed is remembered by the module, and other tests share it.
    vi.resetModules();
    const { publishHealthReport: publish } = await import('./health-report.ts');
    if (site.hasRenderError)
      (await import('../lib/analytics/render-errors.ts')).reportRenderError(
        new Error('x'),
        'at Page',
      );
    await publish(createQueryClient());
    expect(asked.toSorted()).toEqual(['/api/health', '/healthz']);
    warn.mockClear();
    asked.length = 0;
    const report = await window.healthReport?.runFullCheck();
    expect(asked.toSorted()).toEqual(['/api/auth/me', '/api/health', '/healthz']);
    expect(window.healthReport).toMatchObject({ ...report });
    const problems = report?.components.filter(({ status }) => status !== 'ok');
    return {
      status: report?.status,
      names: report?.components.map(({ name }) => name),
      problems: problems?.map(({ name, status }) => `${name} ${status}`),
      logged: warn.mock.calls.map(([message]) => message as string),
    };
  }

  it('covers the API, the login, storage, the network and rendering', async () => {
    expect(await check({})).toEqual({
      status: 'ok',
      names: ['api', 'auth', 'storage', 'network', 'rendering'],
      problems: [],
      logged: [],
    });
  });

  const HEALTH_LOG = ['Health check failed.'];
  const LOGIN_LOG = ['Login check failed.'];

  it.each<[Partial<Site>, HealthStatus, string, string[]]>([
    [{ '/api/health': [200, '{"status":"degraded"}'] }, 'degraded', 'api degraded', []],
    [{ '/api/health': [503, '{"status":"error"}'] }, 'error', 'api error', HEALTH_LOG],
    [{ '/api/health': [502, '<html></html>'] }, 'error', 'api error', HEALTH_LOG],
    [{ '/api/health': null }, 'error', 'api error', HEALTH_LOG],
    [{ '/healthz': [503, 'error'] }, 'error', 'api error', HEALTH_LOG],
    [{ '/healthz': null }, 'error', 'api error', HEALTH_LOG],
    [{ '/api/auth/me': [500, ''] }, 'error', 'auth error', LOGIN_LOG],
    [{ '/api/auth/me': null }, 'error', 'auth error', LOGIN_LOG],
    [{ hasStorage: false }, 'degraded', 'storage degraded', []],
    [{ isOnline: false }, 'error', 'network error', []],
    [{ hasRenderError: true }, 'degraded', 'rendering degraded', []],
  ])('with %j is %s (%s), and logs a check that fails', async (site, status, problem, logged) => {
    expect(await check(site)).toMatchObject({ status, problems: [problem], logged });
  });
});

describe('the report of a page', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** The page's own login check is running; every other request is answered. */
  function openPage() {
    const login = Promise.withResolvers<Response>();
    const asked: string[] = [];
    const page: Pick<Window, 'healthReport'> = {};
    vi.stubGlobal('window', page);
    vi.stubGlobal('fetch', (path: string) => {
      asked.push(path);
      if (path === '/api/auth/me') return login.promise;
      return Promise.resolve(Response.json({ status: 'ok' }));
    });
    const client = createQueryClient();
    client.fetchQuery({ ...currentUserQuery, retry: false }).catch(() => undefined);
    const findAuth = () =>
      page.healthReport?.components.find(({ name }) => name === 'auth')?.status;
    return { asked, client, findAuth, answerLogin: login.resolve };
  }

  it.each([
    [401, 'ok'],
    [500, 'error'],
  ] as const)(
    'waits for its login check, and a %i there counts as %s without another request',
    async (status, auth) => {
      const { asked, client, findAuth, answerLogin } = openPage();
      const published = publishHealthReport(client);
      await new Promise((resolve) => setTimeout(resolve));
      expect(findAuth()).toBeUndefined();
      expect(asked).toEqual(['/api/auth/me']);
      answerLogin(new Response('', { status }));
      await published;
      expect(findAuth()).toBe(auth);
      expect(asked).toEqual(['/api/auth/me', '/api/health', '/healthz']);
    },
  );

  it('does not wait on a page without a login check', async () => {
    const { findAuth } = openPage();
    await publishHealthReport(createQueryClient());
    expect(findAuth()).toBe('ok');
  });
});
