/**
 * Who may import whom, as one table. A file belongs to the first layer one of whose patterns
 * matches its path; `may` names the layers it can import besides its own.
 * Patterns: `*` stands for anything within a folder, `**` for anything below it.
 */
export type Layer = {
  name: string;
  files: string[];
  may: string[];
  /** Bare packages it may import; absent means any. */
  packages?: string[];
};

const SERVER_FLOOR = ['contract', 'server base'];

export const layers: Layer[] = [
  // Tests and tools see everything; nothing below may import them.
  {
    name: 'test',
    files: ['**/*.test.ts', '**/*.test.tsx', 'server/testing/**', 'web/testing/**'],
    may: ['*'],
  },
  { name: 'tool', files: ['tools/**', 'e2e/**', 'bench/**', '*'], may: ['*'] },

  { name: 'contract', files: ['contract/**'], may: [], packages: ['zod'] },

  {
    name: 'server main',
    files: ['server/main.ts', 'server/worker.ts'],
    may: [
      ...SERVER_FLOOR,
      'server db',
      'server port',
      'server jobs',
      'server http',
      'server feature',
      'server app',
      'demo',
    ],
  },
  {
    name: 'server app',
    files: ['server/app.ts', 'server/deps.ts', 'server/job-list.ts'],
    may: [
      ...SERVER_FLOOR,
      'server db',
      'server port',
      'server jobs',
      'server http',
      'server feature',
      'demo',
    ],
  },
  {
    name: 'server feature',
    files: ['server/features/**'],
    may: [...SERVER_FLOOR, 'server db', 'server port', 'server jobs', 'server http'],
  },
  { name: 'server http', files: ['server/http/**'], may: [...SERVER_FLOOR, 'server db'] },
  {
    name: 'server jobs',
    files: ['server/jobs/**'],
    may: [...SERVER_FLOOR, 'server db', 'server port'],
  },
  { name: 'server port', files: ['server/ports/**'], may: SERVER_FLOOR },
  { name: 'server db', files: ['server/db/**'], may: SERVER_FLOOR },
  { name: 'server base', files: ['server/*'], may: ['contract'] },

  { name: 'demo', files: ['demo/**'], may: [...SERVER_FLOOR, 'server feature'] },

  {
    name: 'web app',
    files: ['web/app/**'],
    may: ['contract', 'web lib', 'web style', 'web ui', 'web player', 'web feature'],
  },
  {
    name: 'web feature',
    files: ['web/features/**'],
    may: ['contract', 'web lib', 'web style', 'web ui', 'web player'],
  },
  { name: 'web player', files: ['web/player/**'], may: ['contract', 'web lib'] },
  { name: 'web ui', files: ['web/ui/**'], may: ['contract', 'web lib', 'web style'] },
  { name: 'web lib', files: ['web/lib/**'], may: ['contract'] },
  { name: 'web style', files: ['web/styles/**'], may: [] },
];

/** Types that travel against the direction: everybody below the app is handed the dependencies. */
export const typeOnlyExceptions: { from: string[]; to: string }[] = [
  { from: ['server feature', 'server http', 'server jobs', 'demo'], to: 'server/deps.ts' },
];

/** A feature is entered through one file, from other features and from the demo. */
export const SERVER_FEATURE_ENTRY = 'service.ts';
