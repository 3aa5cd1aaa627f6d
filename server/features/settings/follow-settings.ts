import type { Config } from '../../config.ts';
import { forgetSettings, KEPT_MS, readSettings, type Settings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';

/** What the environment says stays; where it is silent, what was set on the pages holds. */
export function applySettings(config: Config, { siteName, timeZone, eventsDays }: Settings): void {
  if (siteName !== null && !config.fixed.includes('siteName')) config.siteName = siteName;
  if (timeZone !== null && !config.fixed.includes('timeZone')) config.timeZone = timeZone;
  if (eventsDays !== null && !config.fixed.includes('eventsDays')) config.eventDays = eventsDays;
}

export async function loadSettings({ config, database, clock }: Deps): Promise<Settings> {
  forgetSettings(database.db);
  const settings = await readSettings(database.db, clock.now());
  applySettings(config, settings);
  return settings;
}

/** Another server may have changed them; answers how to stop looking. */
export async function followSettings(deps: Deps): Promise<() => Promise<void>> {
  await loadSettings(deps);
  const timer = setInterval(() => {
    loadSettings(deps).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'the settings could not be read'),
    );
  }, KEPT_MS).unref();
  return async () => clearInterval(timer);
}
