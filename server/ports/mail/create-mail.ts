import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import type { Mail } from './mail.ts';
import { createOutboxMail } from './outbox-mail.ts';
import { createSmtpMail } from './smtp-mail.ts';

export const createMail = (config: Config, db: Db, clock: { now: () => number }): Mail =>
  config.smtp ? createSmtpMail(config.smtp) : createOutboxMail(db, clock);
