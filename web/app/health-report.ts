import type { HealthStatus } from '#contract/system.ts';
import { request } from '#web/lib/api.ts';
import { hasRenderError } from '../lib/render-errors.ts';

type ComponentName = 'api' | 'auth' | 'storage' | 'network' | 'rendering';
export type HealthReport = {
  status: HealthStatus;
  components: { name: ComponentName; status: HealthStatus }[];
};

declare global {
  interface Window {
    healthReport?: HealthReport & { runFullCheck: () => Promise<HealthReport> };
  }
}

/** The whole is as ill as its illest part; what cannot be reached at all is an error. */
export function overallStatus(parts: HealthStatus[]): HealthStatus {
  if (parts.includes('error')) return 'error';
  return parts.includes('degraded') ? 'degraded' : 'ok';
}

async function checkApi(): Promise<HealthStatus> {
  try {
    const [health, alive] = await Promise.all([request('/api/health'), request('/healthz')]);
    // Read to the end, or the browser keeps the connection for a body that nobody wants.
    await alive.text();
    if (!alive.ok) return 'error';
    const body = (await health.json()) as { status?: HealthStatus };
    return body.status ?? 'error';
  } catch (error) {
    console.warn('The health check failed.', error);
    return 'error';
  }
}

/** Being signed out is healthy; only a server that fails to tell is not. */
async function checkAuth(): Promise<HealthStatus> {
  try {
    return (await request('/api/auth/me')).status === 500 ? 'error' : 'ok';
  } catch (error) {
    console.warn('The sign-in check failed.', error);
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

/** On `window` for whoever looks into a problem. The page has just asked who is signed in, so loading does not ask again. */
export async function publishHealthReport(auth: HealthStatus): Promise<HealthReport> {
  const report = await buildReport(auth);
  window.healthReport = { ...report, runFullCheck };
  return report;
}
