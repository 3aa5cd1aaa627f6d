import { loadavg } from 'node:os';
import type { ClientUsage } from './load-client.ts';
import { createMailHost } from './mail-host.ts';
import { RELEASE_KINDS, type ReleaseResult } from './release-people.ts';
import { readHeaps, watchSite, type Watched } from './run-load.ts';
import { startClient } from './start-client.ts';
import { startSite, withFolder, type Mode } from './start-site.ts';

export type ReleaseOptions = {
  mode: Mode;
  /** Who get the mail. */
  members: number;
  /** From the first mail on. */
  seconds: number;
  /** The part of them that opens the mix, sooner or later. */
  share: number;
};

export type ReleaseReport = ReleaseResult &
  ClientUsage &
  Watched & {
    options: ReleaseOptions;
    loadBefore: number;
    /** What the servers kept before the mix came out, and at the end, in MB. */
    heaps: { before: number; after: number };
  };

/** When the mix comes out: the site is up by then, and looks for releases once a minute. */
const RELEASE_IN_MS = 15_000;
const WARM_UP_SECONDS = 10;

/**
 * A mix comes out while the site runs: its job writes to every member, a mail host on this machine
 * takes the mails as fast as they come, and each that arrives may bring somebody to the site.
 */
export const runRelease = (options: ReleaseOptions): Promise<ReleaseReport> =>
  withFolder(async (folder) => {
    const [loadBefore = 0] = loadavg();
    const { mode, members, seconds, share } = options;
    let client: ReturnType<typeof startClient<ReleaseResult>> | undefined;
    const host = await createMailHost((arrived) => client?.tellArrived(arrived));
    try {
      const site = await startSite({
        mode,
        folder,
        members,
        hasWorker: true,
        releaseInMs: RELEASE_IN_MS,
        env: { SMTP_URL: host.url, MAIL_FROM: 'Music <music@example.com>' },
      });
      try {
        const { entrance } = site;
        // Code that runs for the first time is slow.
        const listeners = { plays: 'listeners', listeners: 50, rate: 50 } as const;
        await startClient({ ...listeners, entrance, folder, seconds: WARM_UP_SECONDS }).result;
        const before = await readHeaps(site);
        client = startClient({ entrance, folder, seconds, plays: 'release', share });
        const { result } = client;
        const watched = await watchSite(site, () => result);
        const heaps = { before, after: await readHeaps(site) };
        return { options, loadBefore, heaps, ...watched };
      } finally {
        await site.stop();
      }
    } finally {
      await host.close();
    }
  });

/** What nobody got an answer to, or another than they should. */
export const countFailed = ({ kinds }: ReleaseResult): number =>
  RELEASE_KINDS.reduce((sum, kind) => sum + (kinds[kind].statuses.failed ?? 0), 0);
