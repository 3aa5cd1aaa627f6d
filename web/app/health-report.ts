import type { HealthStatus } from '#contract/system.ts';
import { request } from '#web/lib/api.ts';
import { hasRenderError } from '../lib/render-errors.ts';

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
    // Read the whole body, or the browser keeps the connection open.
    await alive.text();
    if (!alive.ok) return 'error';
    const body = (await health.json()) as { status?: HealthStatus };
    return body.status ?? 'error';
  } catch (error) {
    console.warn('Health check failed.', error);
    return 'error';
  }
}

/** Being logged out is healthy; only a server error is not. */
async function checkAuth(): Promise<HealthStatus> {
  try {
    return (await request('/api/auth/me')).status === 500 ? 'error' : 'ok';
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

async function runFullCheck(): Promise<HealthReport> {
  return publishHealthReport(await checkAuth());
}

/** Puts the report on `window` for debugging. `auth` is the result of the page's own login check. */
export async function publishHealthReport(auth: HealthStatus): Promise<HealthReport> {
  const report = await buildReport(auth);
  window.healthReport = { ...report, runFullCheck };
  return report;
}
