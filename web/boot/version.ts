import { call } from '#web/lib/api/api.ts';
import { HOUR } from '#contract/rules/time.ts';

export const CURRENT_VERSION = '1.0.0';
const VERSION_CHECK_INTERVAL_MS = HOUR;

async function checkVersion(): Promise<void> {
  try {
    const { version } = await call('GET /api/version');
    if (version !== CURRENT_VERSION)
      console.info(`The server runs version ${version}; this page runs ${CURRENT_VERSION}.`);
  } catch (error) {
    console.warn('Version check failed.', error);
  }
}

/** Checks now and every hour. */
export function watchVersion(): void {
  void checkVersion();
  setInterval(() => void checkVersion(), VERSION_CHECK_INTERVAL_MS);
}
