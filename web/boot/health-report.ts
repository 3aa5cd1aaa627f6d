import type { QueryClient } from '@tanstack/react-query';
import type { HealthStatus } from '#contract/system.ts';
import { request } from '#web/lib/api/api.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { hasRenderError } from '../lib/analytics/render-errors.ts';

type ComponentName = 'api' | 'auth' | 'storage' | 'network' | 'rendering';
type HealthReport = {
  status: HealthStatus;
  components: { name: ComponentName; status: HealthStatus }[];
};

declare global {
  interface Window {
    healthReport?: HealthReport & { runFullCheck: () => Promise<HealthReport> };
  }
}

/** The overall status is that of the worst component. */
export function overallStatus(parts: HealthStatus[]): HealthStatus {
  if (parts.includes('error')) return 'error';
  return parts.includes('degraded') ? 'degraded' : 'ok';
}

async function checkApi(): Promise<HealthStatus> {
  try {
    const [health, alive] = await Promise.all([request('/api/health'), request('/healthz')]);
    const { status = 'error' } = (await health.json()) as { status?: HealthStatus };
    if (status === 'error' || !alive.ok)
      throw new Error(`/api/health answered ${health.status}, /healthz ${alive.status}.`);
    return status;
  } catch (error) {
    console.warn('Health check failed.', error);
    return 'error';
  }
}

/** Being logged out is healthy; only a server error is not. */
async function checkAuth(): Promise<HealthStatus> {
  try {
    const { status } = await request('/api/auth/me');
    if (status === 500) throw new Error('/api/auth/me answered 500.');
    return 'ok';
  } catch (error) {
    console.warn('Login check failed.', error);
    return 'error';
  }
}

function checkStorage(): HealthStatus {
  try {
    localStorage.setItem('health-check', '1');
    localStorage.removeItem('health-check');
    return 'ok';
  } catch {
    return 'degraded';
  }
}

async function buildReport(auth: HealthStatus): Promise<HealthReport> {
  const components: HealthReport['components'] = [
    { name: 'api', status: await checkApi() },
    { name: 'auth', status: auth },
    { name: 'storage', status: checkStorage() },
    { name: 'network', status: navigator.onLine ? 'ok' : 'error' },
    { name: 'rendering', status: hasRenderError() ? 'degraded' : 'ok' },
  ];
  return { status: overallStatus(components.map((part) => part.status)), components };
}

async function publish(auth: HealthStatus): Promise<HealthReport> {
  const report = await buildReport(auth);
  window.healthReport = { ...report, runFullCheck: async () => publish(await checkAuth()) };
  return report;
}

/** How the page's own login check went, once it is done; some pages have none. */
async function readLoginStatus(client: QueryClient): Promise<HealthStatus> {
  const check = client.getQueryCache().find({ queryKey: currentUserQuery.queryKey });
  await check?.promise?.catch(() => undefined);
  return check?.state.status === 'error' ? 'error' : 'ok';
}

/** Puts the report on `window` for debugging, once the page's login check is done. */
export async function publishHealthReport(client: QueryClient): Promise<void> {
  await publish(await readLoginStatus(client));
}
