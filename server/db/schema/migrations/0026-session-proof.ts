import { runStatements, type MigrationSteps } from './migration.ts';

export const sessionProof: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // What the user had besides the password: 'passkey' or 'code'.
      'alter table sessions add column proved_with text',
    ]),
};
