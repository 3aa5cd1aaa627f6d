import { forgetSettings, KEPT_MS, readSettings, type Settings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';

export async function loadSettings({ setOnPages, database, clock }: Deps): Promise<Settings> {
  forgetSettings(database.db);
  const settings = await readSettings(database.db, clock.now());
  setOnPages.current = settings;
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
