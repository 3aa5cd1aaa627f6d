import { runStatements, type MigrationSteps } from './migrations/migration.ts';
import { accounts } from './accounts.ts';
import { analytics, charts, reports, trackFigures } from './reports.ts';
import { billing, sandbox } from './billing.ts';
import { listening } from './listening.ts';
import { operations } from './operations.ts';
import { playlists, search, tracks } from './tracks.ts';

/** The whole schema of the first release. Later changes are migrations of their own. */
export const baseline: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      ...operations,
      ...accounts,
      ...tracks,
      ...listening,
      ...trackFigures,
      ...playlists,
      ...charts,
      ...search,
      ...billing,
      ...sandbox,
      ...reports,
      ...analytics,
    ]),
};
