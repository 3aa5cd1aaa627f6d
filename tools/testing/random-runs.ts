import { configureGlobal, defaultReportMessage, type RunDetails } from 'fast-check';

/** The same in every `npm test`; `npm run test:nightly` chooses another, and prints it. */
const SEED_OF_A_USUAL_RUN = 20_261_115;

const isNightly = process.env.TEST_RUN === 'nightly';

/** For tests that choose at random without fast-check. */
export const randomSeed = Number(process.env.RANDOM_SEED ?? SEED_OF_A_USUAL_RUN);

/** For tests whose cases take longer than those of most: how many a run tries. */
export const chooseCases = (usual: number, nightly: number): number =>
  isNightly ? nightly : usual;

export const howToRepeat = (seed: number): string =>
  `Repeat it with: RANDOM_SEED=${seed} npm ${isNightly ? 'run test:nightly' : 'test'} -- unit <this file>`;

configureGlobal({
  seed: randomSeed,
  numRuns: chooseCases(50, 3000),
  reporter: (run: RunDetails<unknown>) => {
    if (!run.failed) return;
    const message = `${defaultReportMessage(run)}\n\n${howToRepeat(run.seed)}`;
    throw new Error(message, { cause: run.errorInstance });
  },
});
