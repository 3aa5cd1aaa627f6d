import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode } from '../run-node.ts';
import { isWebBuildCurrent } from '../source-hash.ts';
import { startBrowserSite, type BrowserSite } from './browser-site.ts';
import { startChromium } from './chromium.ts';
import type { Driver, Size, StartDriver } from './driver.ts';
import { startFirefox } from './firefox.ts';
import { journeys, takePictures } from './journeys.ts';
import { readOptions } from './options.ts';
import { formatReport, isGood, type Outcome } from './report.ts';
import { startSoundCard } from './sound-card.ts';
import { createVisit } from './visit.ts';
import { startWebkit } from './webkit.ts';

/**
 * Starts a site on this machine and makes the main journeys in its browsers. It installs nothing. Prints
 * a table, and fails if a journey does, or if a browser isn't here that `--need` names.
 *
 *   npm run browsers -- [--only firefox,webkit] [--journey Home] [--need firefox,webkit] [--pictures folder]
 */
const BROWSERS: Record<string, StartDriver> = {
  chromium: startChromium,
  firefox: startFirefox,
  webkit: startWebkit,
};
const SIZES: Size[] = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const LIMIT_MS = 240_000;
/** What the console may always say. */
const EXPECTED = [
  // Every refusal: of a visitor’s session, a password or a card.
  /\b40[12]\b/,
  // Firefox, of a page that is left while its scripts and fonts load (NS_BINDING_ABORTED).
  /error loading dynamically imported module/,
  /download failed .* status=2152398850\b/,
];

const options = readOptions(process.argv.slice(2), {
  browsers: Object.keys(BROWSERS),
  journeys: Object.keys(journeys),
});
const folder = await mkdtemp(join(tmpdir(), 'browsers-'));
const outcomes: Outcome[] = [];

async function makeJourney(
  driver: Driver,
  site: BrowserSite,
  name: string,
  size: Size,
  browser: string,
) {
  const tab = await driver.openTab(size);
  const visit = createVisit(tab, site.origin);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const limit = setTimeout(
    () => reject(new Error(`It took longer than ${LIMIT_MS} ms.`)),
    LIMIT_MS,
  );
  try {
    const expected = [...EXPECTED];
    await Promise.race([journeys[name]?.({ visit, site, folder, expected }), late]);
    const problems = visit.problems().filter((said) => !expected.some((known) => known.test(said)));
    return problems.length > 0 ? `The console says: ${problems.join('; ')}` : null;
  } catch (error) {
    const picture = await visit.screenshot().catch(() => null);
    if (picture && options.pictures)
      await writeFile(
        join(options.pictures, `failed-${browser}-${size.width}-${name}.png`),
        picture,
      );
    return (error as Error).message;
  } finally {
    clearTimeout(limit);
    await tab.close();
  }
}

/** For a person to look at. */
async function look(driver: Driver, site: BrowserSite, size: Size, browser: string) {
  const tab = await driver.openTab(size);
  const visit = createVisit(tab, site.origin);
  await takePictures({ visit, site, folder, expected: [] }, (name, picture) =>
    writeFile(join(options.pictures ?? folder, `${browser}-${size.width}-${name}.png`), picture),
  );
  await tab.close();
}

try {
  if (options.pictures) await mkdir(options.pictures, { recursive: true });
  const root = join(import.meta.dirname, '../..');
  if (!(await isWebBuildCurrent(root)) && (await runNode([join(root, 'tools/build-web.ts')])) !== 0)
    throw new Error('The web app could not be built.');
  const card = await startSoundCard(folder);
  const env = { ...process.env, ...card.env };
  const site = await startBrowserSite(join(folder, 'site'));
  try {
    for (const browser of options.browsers) {
      const own = join(folder, browser);
      await mkdir(own);
      const driver = (await BROWSERS[browser]?.(own, env)) ?? null;
      if (!driver) {
        outcomes.push({ browser, version: null });
        continue;
      }
      try {
        // Home is seen at both widths before a later journey publishes another mix.
        for (const journey of options.journeys)
          for (const size of SIZES) {
            const started = performance.now();
            const problem = await makeJourney(driver, site, journey, size, browser);
            const { version } = driver;
            outcomes.push({ browser, version, journey, width: size.width, problem });
            const seconds = ((performance.now() - started) / 1000).toFixed(1);
            console.log(
              `${problem ? '✗' : '✓'} ${browser} ${size.width} ${journey} (${seconds} s)`,
            );
            if (problem) console.log(`  ${problem}`);
          }
        if (options.pictures) for (const size of SIZES) await look(driver, site, size, browser);
      } finally {
        await driver.close();
      }
    }
    const errors = site.errors();
    if (errors.length > 0) throw new Error(`The server logged errors:\n${errors.join('\n')}`);
  } finally {
    await site.close();
    await card.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(formatReport(outcomes));
if (!isGood(outcomes, options.required)) process.exitCode = 1;
