import { runStatements, type MigrationSteps } from './migration.ts';

/** The addresses of private podcast feeds, and from where audio was loaded through them. */
export const podcastFeeds: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // The token is encrypted, because Settings shows the address again. A feed is found by its hash.
      `create table podcast_feeds (
         user_id text primary key not null references users (id) on delete cascade,
         token_hash text not null unique,
         token text not null,
         created_at time not null,
         last_used_at time)`,

      // Networks as hashes, for a week.
      `create table podcast_networks (
         user_id text not null references users (id) on delete cascade,
         network text not null,
         seen_at time not null,
         primary key (user_id, network)) without rowid`,
      `create index podcast_networks_by_time on podcast_networks (seen_at)`,
    ]),
};
