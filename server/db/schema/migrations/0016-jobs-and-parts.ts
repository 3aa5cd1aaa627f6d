import { runStatements, type MigrationSteps } from './migration.ts';

export const jobsAndParts: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // A worker moves waiting jobs to the lanes of its own version when it starts.
      `alter table jobs add column lane text not null default 'housekeeping'`,
      // How often the server stopped while the job was running; not a failure of the job.
      `alter table jobs add column interruptions integer not null default 0`,
      `create index jobs_due_in_lane on jobs (lane, run_at, id) where state = 'ready'`,

      // The bytes of an unfinished upload: files in the store, in the order of their first byte.
      `create table upload_parts (
         upload_id text not null references uploads (id) on delete cascade,
         first_byte time not null,
         size time not null check (size > 0),
         key text not null,
         primary key (upload_id, first_byte))`,
      `create index upload_parts_by_key on upload_parts (key)`,

      // Just before a message is handed over, and once the mail server has it. With the first only,
      // nobody knows whether it arrived.
      `alter table sent_messages add column sending_at time`,
      `alter table sent_messages add column sent_at time`,
    ]),
};
