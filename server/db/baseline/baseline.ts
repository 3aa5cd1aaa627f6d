import { runStatements, type Migration } from '../migrations/migration.ts';
import { accounts } from './accounts.ts';
import { analytics } from './analytics.ts';
import { billing } from './billing.ts';
import { charts } from './charts.ts';
import { listening } from './listening.ts';
import { operations } from './operations.ts';
import { playlists } from './playlists.ts';
import { reports } from './reports.ts';
import { sandbox } from './sandbox.ts';
import { search } from './search.ts';
import { trackFigures } from './track-figures.ts';
import { tracks } from './tracks.ts';

/** The whole schema of the first release. Later changes are migrations of their own. */
export const baseline: Migration = {
  name: '0001-baseline',
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
