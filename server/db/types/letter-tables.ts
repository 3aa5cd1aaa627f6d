import type { LetterState } from '#contract/admin/letters.ts';
import type { LetterAudience, LetterPage } from '#contract/letters.ts';

export type LettersTable = {
  /** Sorts by time. */
  id: string;
  state: LetterState;
  version: number;
  subject: string;
  /** Markdown. */
  body: string;
  /** The name of its picture, and what can be seen on it. */
  picture: string | null;
  picture_text: string;
  track_id: string | null;
  audience: LetterAudience;
  page: LetterPage;
  /** When it goes out, while it is planned. */
  send_at: number | null;
  /** Why a planned one is a draft again; null once somebody has changed or sent it. */
  refusal: string | null;
  started_at: number | null;
  finished_at: number | null;
  /** Whoever it goes to is listed in `letter_mails` up to this user; null once all are. */
  listed_to: string | null;
  /** How many of its mails are in which state. */
  waiting: number;
  sent: number;
  refused: number;
  failed: number;
  left_out: number;
  /** How many followed its link for that. */
  unsubscribed: number;
  created_at: number;
  updated_at: number;
};

/**
 * Who gets a letter, fixed when it starts. `queued` ones have a job; those left out changed their mind
 * before it was their turn.
 */
export type LetterMailsTable = {
  letter_id: string;
  user_id: string;
  state: 'waiting' | 'queued' | 'sent' | 'refused' | 'failed' | 'left_out';
  at: number;
  unsubscribed_at: number | null;
};

export type LetterTables = { letters: LettersTable; letter_mails: LetterMailsTable };
