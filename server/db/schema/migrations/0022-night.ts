import { runStatements, type MigrationSteps } from './migration.ts';

/** What the site looks at by itself, what it said about that, and jobs that an administrator has paused. */
export const night: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table site_checks (
         kind text primary key not null,
         tried_at time not null,
         looked_at time,
         failure text,
         problem text,
         count integer not null,
         is_urgent flag not null check (is_urgent in (0, 1)))`,
      `create table server_readings (
         server text primary key not null,
         read_at time not null,
         free_bytes time not null,
         size_bytes time not null,
         clock_offset time)`,
      `create table disk_readings (
         server text not null,
         hour time not null,
         free_bytes time not null,
         primary key (server, hour))`,
      `create table failed_answers (
         minute time primary key not null,
         count integer not null check (count > 0))`,
      `create table attention_mails (
         key text primary key not null,
         planned_at time not null)`,
      `create table attention_told (
         item text primary key not null,
         text text not null,
         told_at time not null)`,
      `create table job_pauses (
         target text primary key not null,
         paused_at time not null,
         paused_by text references users (id) on delete set null)`,
    ]),
};
