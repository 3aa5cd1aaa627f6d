/**
 * Which files may import which others. A file belongs to the first layer with a pattern that matches
 * its path; besides its own layer it may import those in `may`. In patterns, `*` matches anything
 * within a folder and `**` anything below it.
 */
export type Layer = {
  name: string;
  files: string[];
  may: string[];
  /** Packages it may import; any if absent. */
  packages?: string[];
};

// Each line adds to the one before: contract ← db, ports ← jobs, http ← features ← app ← main.
const BELOW_DB = ['contract', 'package', 'server base'];
const BELOW_JOBS = [...BELOW_DB, 'server db', 'server port'];
const BELOW_FEATURES = [...BELOW_JOBS, 'server jobs', 'server http'];
const BELOW_APP = [...BELOW_FEATURES, 'server feature', 'demo'];
const BELOW_MAIN = [...BELOW_APP, 'server app'];

// contract ← lib ← ui, player ← features, player view ← boot, router, shell, pages, admin.
const BELOW_UI = ['contract', 'web lib'];
const BELOW_WEB_FEATURES = [...BELOW_UI, 'web ui', 'web player', 'web offline'];
const BELOW_WEB_APP = [...BELOW_WEB_FEATURES, 'web player view', 'web feature', 'web style'];

const TEST_FILES = ['**/*.test.ts', '**/*.test.tsx', 'server/testing/**', 'web/testing/**'];

export const layers: Layer[] = [
  // Tests and tools see everything; nothing below may import them.
  { name: 'test', files: TEST_FILES, may: ['*'] },
  { name: 'package', files: ['package.json'], may: [] },
  { name: 'tool', files: ['tools/**', 'e2e/**', 'bench/**', '*'], may: ['*'] },

  {
    name: 'contract',
    files: ['contract/**'],
    may: [],
    packages: ['zod', 'htmlparser2'],
  },

  {
    name: 'server main',
    files: ['server/main.ts', 'server/site.ts', 'server/worker.ts', 'server/run-process.ts'],
    may: BELOW_MAIN,
  },
  {
    name: 'server app',
    files: ['server/app.ts', 'server/deps.ts', 'server/job-list.ts'],
    may: BELOW_APP,
  },
  { name: 'server feature', files: ['server/features/**'], may: BELOW_FEATURES },
  { name: 'server http', files: ['server/http/**'], may: BELOW_JOBS },
  { name: 'server jobs', files: ['server/jobs/**'], may: BELOW_JOBS },
  { name: 'server port', files: ['server/ports/**'], may: [...BELOW_DB, 'server db'] },
  { name: 'server db', files: ['server/db/**'], may: BELOW_DB },
  {
    name: 'server base',
    files: ['server/*', 'server/background/**', 'server/log/**'],
    may: ['contract'],
  },

  { name: 'demo', files: ['demo/**'], may: [...BELOW_JOBS, 'server jobs', 'server feature'] },

  {
    name: 'web app',
    files: ['web/boot/**', 'web/router/**', 'web/shell/**', 'web/pages/**', 'web/admin/**'],
    may: BELOW_WEB_APP,
  },
  {
    name: 'web feature',
    files: ['web/features/**'],
    may: [...BELOW_WEB_FEATURES, 'web player view'],
  },
  {
    name: 'web player view',
    files: ['web/player/view/**'],
    may: [...BELOW_WEB_FEATURES, 'web feature'],
  },
  { name: 'web player', files: ['web/player/**'], may: BELOW_UI },
  { name: 'web ui', files: ['web/ui/**'], may: BELOW_UI },
  {
    name: 'web service worker',
    files: ['web/offline/worker/**'],
    may: ['contract', 'web offline'],
  },
  { name: 'web offline', files: ['web/offline/**'], may: ['contract'] },
  { name: 'web lib', files: ['web/lib/**'], may: ['contract'] },
  { name: 'web style', files: ['web/styles/**'], may: [] },
];

/** Lower layers may import these types, because the app passes them its dependencies. */
export const typeOnlyExceptions: { from: string[]; to: string }[] = [
  { from: ['server feature', 'server http', 'server jobs', 'demo'], to: 'server/deps.ts' },
];

/** Other features and the demo import only this file of a feature, or of a folder inside the feature. */
export const SERVER_FEATURE_ENTRY = 'service.ts';

/** A web feature, or the player's view, imports only the queries and mutations of another feature. */
export const WEB_FEATURE_ENTRY = 'api.ts';
/** This feature combines everything users can do with a track, so it may use components of the others. */
export const WEB_TRACKS = 'tracks';
