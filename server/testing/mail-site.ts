import { DEFAULT_LOOK } from '#contract/look.ts';
import { mailWords } from '#contract/rules/mail-words.ts';
import type { MailSite } from '../features/mails/service.ts';

/** A site whose operator has changed nothing but its name. */
export const mailSite: MailSite = {
  look: DEFAULT_LOOK,
  siteName: 'Deep & House',
  origin: 'https://music.example',
  dataPrice: null,
  words: {
    greeting: mailWords.greeting.byDefault,
    releaseIntro: mailWords.releaseIntro.byDefault,
    releaseEnd: mailWords.releaseEnd.byDefault,
    premiumWelcome: mailWords.premiumWelcome.byDefault,
  },
};
