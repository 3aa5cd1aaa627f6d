/**
 * Preloaded by every npm script that runs TypeScript. Plain JavaScript on purpose: an older Node
 * cannot read the scripts themselves, and its own message would not help anybody.
 */
const NEEDED_MAJOR = 24;
const major = Number(process.versions.node.split('.')[0]);

if (major < NEEDED_MAJOR) {
  process.stderr.write(
    `This needs Node ${NEEDED_MAJOR} and found ${process.versions.node}. Run "npm ci" (without --omit=optional) to install the pinned one; ` +
      `where npm has none for ${process.platform} ${process.arch}, install Node ${NEEDED_MAJOR} from https://nodejs.org and put it first on the PATH.\n`,
  );
  process.exit(1);
}
