import { runStatements, type MigrationSteps } from './migration.ts';

/** Letters to members, and who gets which. */
export const letters: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table letters (
         id text primary key not null,
         state text not null check (state in ('draft', 'planned', 'sending', 'stopped', 'sent')),
         version integer not null,
         subject text not null,
         body text not null,
         picture text,
         picture_text text not null,
         track_id text references tracks (id) on delete set null,
         audience text not null,
         page text not null check (page in ('none', 'members', 'everyone')),
         send_at time,
         started_at time,
         finished_at time,
         listed_to text,
         waiting integer not null default 0,
         sent integer not null default 0,
         refused integer not null default 0,
         failed integer not null default 0,
         left_out integer not null default 0,
         unsubscribed integer not null default 0,
         created_at time not null,
         updated_at time not null)`,
      `create index letters_under_way on letters (id) where state in ('planned', 'sending')`,
      `create index letters_out on letters (started_at, id) where started_at is not null`,
      `create index letters_by_track on letters (track_id) where track_id is not null`,
      `create table letter_mails (
         letter_id text not null references letters (id) on delete cascade,
         user_id text not null references users (id) on delete cascade,
         state text not null check (state in ('waiting', 'queued', 'sent', 'refused', 'failed', 'left_out')),
         at time not null,
         unsubscribed_at time,
         primary key (letter_id, user_id)) without rowid`,
      `create index letter_mails_by_state on letter_mails (letter_id, state, user_id)`,
      `create index letter_mails_by_user on letter_mails (user_id)`,
      // Of all members, only those who want news are looked at.
      `create index preferences_news on preferences (user_id) where news_mails = 1`,
    ]),
};
