import { runStatements, type MigrationSteps, type Statement } from './migrations/migration.ts';
import { accounts, memberImports } from './accounts.ts';
import { analytics, charts, reports, trackFigures } from './reports.ts';
import { billing } from './billing.ts';
import { books } from './books.ts';
import { catalogueVersion } from './catalogue-version.ts';
import { devices } from './devices.ts';
import { listening, scrobbling } from './listening.ts';
import { operations } from './operations.ts';
import { sandbox } from './sandbox.ts';
import { artists, playlists, search, tracks } from './tracks.ts';

export const statements: readonly Statement[] = [
  ...operations,
  ...accounts,
  ...memberImports,
  ...tracks,
  ...artists,
  ...listening,
  ...scrobbling,
  ...devices,
  ...trackFigures,
  ...playlists,
  ...charts,
  ...search,
  ...billing,
  ...books,
  ...sandbox,
  ...reports,
  ...analytics,
  ...catalogueVersion,
];

/** The whole schema of version 1.0.0. Every later change is a migration of its own. */
export const baseline: MigrationSteps = {
  up: (tx, dialect) => runStatements(tx, dialect, statements),
};
