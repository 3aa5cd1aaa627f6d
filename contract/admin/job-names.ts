/** Every kind of work has a lane of its own; lanes never wait for each other. */
export const JOB_LANES = [
  'urgent-mail',
  'mail',
  'bulk-mail',
  'payments',
  'uploads',
  'media',
  'clips',
  'files',
  'outside',
  'scrobbles',
  'notices',
  'housekeeping',
  'watch',
] as const;
export type JobLane = (typeof JOB_LANES)[number];

type JobWords = {
  name: string;
  /** What it does, as one sentence. */
  does: string;
};

const JOBS: Record<string, JobWords> = {
  'add-up-usage': {
    name: 'Add up what was heard',
    does: 'Adds up for each mix and day which parts were heard, without who heard them.',
  },
  'announce-ends': {
    name: 'Announce ends',
    does: 'Finds years and gifts that end soon and queues their e-mails.',
  },
  'announce-releases': {
    name: 'Announce releases',
    does: 'Finds new releases and queues their e-mails and notices.',
  },
  'check-price-changes': {
    name: 'Check price changes',
    does: 'Tells subscribers about planned prices and applies them in time.',
  },
  'check-site': {
    name: 'Look after the site',
    does: 'Looks whether mail, disk, backups, jobs, certificate, clock and answers are well, and tells administrators.',
  },
  'come-over': {
    name: 'Bring subscriptions over',
    does: 'Compares what a payment provider charges itself with what the site would, and finishes what an operator started.',
  },
  'complete-upload': {
    name: 'Finish an upload',
    does: 'Checks an uploaded file and turns it into a mix.',
  },
  'cut-clip': {
    name: 'Make a clip',
    does: 'Cuts the sound and the videos of a clip that a member marked.',
  },
  'delete-clip-files': {
    name: 'Delete a clip',
    does: 'Deletes the files of a clip that was removed.',
  },
  'delete-files': { name: 'Delete files', does: 'Deletes the files of a mix that was deleted.' },
  'delete-replaced-file': {
    name: 'Delete a replaced file',
    does: 'Deletes audio that newer audio has replaced.',
  },
  'delete-letter-picture': {
    name: 'Delete a picture of a letter',
    does: 'Deletes a picture that was chosen for a letter and isn’t part of one.',
  },
  'delete-look-draft': {
    name: 'Delete an unsaved picture',
    does: 'Deletes a logo, a picture or an icon that was chosen a day ago but not saved.',
  },
  'delete-unused-avatar': {
    name: 'Delete an old profile picture',
    does: 'Deletes a profile picture that isn’t used any more.',
  },
  'delete-unused-cover': {
    name: 'Delete an old cover',
    does: 'Deletes a cover that isn’t used any more.',
  },
  'deliver-sandbox-event': {
    name: 'Deliver a test payment',
    does: 'Tells the site about a sandbox payment.',
  },
  dun: {
    name: 'Follow up late payments',
    does: 'Reminds members of a failed payment, and ends the subscription when the time to pay is over.',
  },
  'forget-card': {
    name: 'Forget a card',
    does: 'Deletes a card at the payment provider that nobody uses any more.',
  },
  'forward-events': { name: 'Forward events', does: 'Sends analytics events to Mixpanel.' },
  'import-members': {
    name: 'Import members',
    does: 'Creates the accounts of an imported file and queues their e-mails.',
  },
  'ingest-track': {
    name: 'Process audio',
    does: 'Makes the streams, the preview and the downloads of a mix.',
  },
  'make-usage-report': {
    name: 'Make a usage report',
    does: 'Writes the file of what was played in a period, for collecting societies.',
  },
  'make-refund': {
    name: 'Refund a payment',
    does: 'Gives money back: as an administrator or a member asked, or because the payment doesn’t count.',
  },
  'settle-reported-payment': {
    name: 'Process a payment message',
    does: 'Records what the payment provider reported.',
  },
  'purge-deleted-tracks': {
    name: 'Remove deleted mixes',
    does: 'Deletes the files of mixes that can’t be restored any more.',
  },
  'read-returned-mail': {
    name: 'Read returned e-mails',
    does: 'Reads reports about our e-mails in the mailbox to which they are returned.',
  },
  'read-upload-tags': {
    name: 'Read tags',
    does: 'Reads the title and genre from an uploaded file.',
  },
  'reindex-search': { name: 'Update the search index', does: 'Adds mixes that search is missing.' },
  'render-demo-mix': {
    name: 'Make demo music',
    does: 'Generates the music of the demo catalogue.',
  },
  'renew-due': {
    name: 'Charge renewals',
    does: 'Charges the subscriptions that are due, the oldest first.',
  },
  'retag-downloads': {
    name: 'Update download tags',
    does: 'Writes the new details into the downloads.',
  },
  'show-file-end': {
    name: 'End downloads',
    does: 'Tells open pages that the site gives no more files.',
  },
  'tell-file-change': {
    name: 'Tell subscribers about downloads',
    does: 'Queues an e-mail to every subscriber about files that they can’t keep any more.',
  },
  'run-price-change': {
    name: 'Work on a price change',
    does: 'Tells subscribers that a price change was planned or cancelled.',
  },
  'send-account-message': {
    name: 'Send an account e-mail',
    does: 'Tells a user about a change to their account.',
  },
  'send-attention-mail': {
    name: 'Send what needs a hand',
    does: 'Tells an administrator what needs a person.',
  },
  'send-billing-message': {
    name: 'Send a billing e-mail',
    does: 'Sends a receipt, a reminder or a payment problem.',
  },
  'send-gifts': {
    name: 'Send gifts',
    does: 'Finds bought gifts whose day has come and queues their e-mails.',
  },
  'send-gift-mail': {
    name: 'Send a gift e-mail',
    does: 'Sends a bought gift to its recipient, or its receipt to its buyer.',
  },
  'send-email-link': {
    name: 'Send a link to confirm an address',
    does: 'Asks a user to confirm a new e-mail address.',
  },
  'send-former-address-message': {
    name: 'Send an e-mail to a former address',
    does: 'Tells someone that their account was deleted, or no longer uses their address.',
  },
  'send-password-reset': {
    name: 'Send a password reset',
    does: 'Sends a link to choose a new password.',
  },
  'send-helper-invitation': {
    name: 'Invite a helper',
    does: 'Sends a link to set the first password.',
  },
  'send-invitation': {
    name: 'Invite an imported member',
    does: 'Sends a link to set the first password.',
  },
  'send-issue-mail': {
    name: 'Send a payment alarm',
    does: 'Tells an administrator about a dispute or a wrong key.',
  },
  'settle-asked': {
    name: 'Settle payments',
    does: 'Asks the payment provider about payments without an answer.',
  },
  'settle-sandbox-payment': {
    name: 'Settle a test payment',
    does: 'Decides a sandbox payment or dispute whose time has come.',
  },
  'start-admin-graces': {
    name: 'Ask administrators for two-step login',
    does: 'Tells administrators who log in with only a password until when they have to change that.',
  },
  'start-letter': {
    name: 'Start a letter',
    does: 'Lists who gets a letter and queues its first e-mails.',
  },
  'submit-playing-now': {
    name: 'Send what is playing',
    does: 'Tells a listener’s scrobbling service what they are hearing.',
  },
  'push-attention-notice': {
    name: 'Push a notice to an administrator',
    does: 'Tells an administrator’s device what can’t wait.',
  },
  'push-release-notice': {
    name: 'Send a release notice',
    does: 'Tells a user’s device that a mix is out.',
  },
  'submit-listens': {
    name: 'Send listens',
    does: 'Sends what a user has heard to their scrobbling service.',
  },
  'send-letter-mail': { name: 'Send a letter', does: 'Sends a letter to a member.' },
  'send-letters': {
    name: 'Send letters',
    does: 'Starts planned letters and queues the next e-mails of those under way.',
  },
  'send-release-mail': { name: 'Send a release e-mail', does: 'Tells a user that a mix is out.' },
  'send-undo-link': {
    name: 'Send a link to undo a change',
    does: 'Tells a former address that it changed, with a link to undo it.',
  },
  'sweep-expired': {
    name: 'Clean up expired data',
    does: 'Deletes old sessions, links and events.',
  },
  'sweep-uploaded-files': {
    name: 'Clean up uploads',
    does: 'Deletes files of uploads that were given up.',
  },
  'tend-scrobbles': {
    name: 'Tend scrobbles',
    does: 'Sends listens that still wait and deletes those that are too old.',
  },
  'update-charts': { name: 'Update the Top 20', does: 'Recalculates the chart.' },
  'watch-account': {
    name: 'Watch the provider’s account',
    does: 'Finds payments, refunds and disputes that no message told us about.',
  },
};

/** What people call a job. A job that isn't listed gets its id as a name: `make-tea` becomes "Make tea". */
export function describeJob(id: string): JobWords {
  const words = id.replaceAll('-', ' ');
  return JOBS[id] ?? { name: words.charAt(0).toUpperCase() + words.slice(1), does: '' };
}

export const describedJobs: readonly string[] = Object.keys(JOBS);

/** What people call a lane. */
const LANES: Record<JobLane, string> = {
  'urgent-mail': 'E-mails that somebody waits for',
  mail: 'E-mails about money',
  'bulk-mail': 'E-mails to many',
  payments: 'Payments',
  uploads: 'Uploads',
  media: 'Audio',
  clips: 'Clips',
  files: 'Deleting files',
  outside: 'Other services',
  scrobbles: 'Scrobbles',
  notices: 'Notices',
  housekeeping: 'Housekeeping',
  watch: 'Looking after the site',
};

export const jobLanes: readonly { value: JobLane; label: string }[] = JOB_LANES.map((value) => ({
  value,
  label: LANES[value],
}));

/** `lane:bulk-mail` is “E-mails to many”, and `job:send-letter-mail` “Send a letter”. */
export function namePauseTarget(target: string): string {
  const [kind, name = ''] = target.split(':');
  const lane = JOB_LANES.find((each) => each === name);
  return kind === 'lane' && lane ? LANES[lane] : describeJob(name).name;
}
