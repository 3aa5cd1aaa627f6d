import { describe, expect, it } from 'vitest';
import { describedJobs, describeJob } from '#contract/admin/job-names.ts';
import { jobList } from '#server/job-list.ts';
import { describeJobError, formatJob, listSubjects } from './describe-job.ts';

const nothing = { track: null, user: null, fileName: null, letter: null, message: null };
const track = { id: 'm1', title: 'Night Bus' };

it('has words for every job, and for none that is gone', () => {
  expect(describedJobs.toSorted()).toEqual(jobList.map(({ name }) => name).toSorted());
  expect(describeJob('make-tea')).toEqual({ name: 'Make tea', does: '' });
});

it('names what a job works on instead of its id', () => {
  const user = { id: 'u1', name: 'thandi' };
  const about = { ...nothing, track, user };
  expect(formatJob({ name: 'ingest-track', about })).toBe('Process audio, “Night Bus”');
  expect(formatJob({ name: 'update-charts', about: nothing })).toBe('Update the Top 20');
  expect(listSubjects({ about })).toEqual([
    { text: '“Night Bus”', href: '/admin/tracks/edit/m1' },
    { text: 'for thandi', href: '/admin/subscribers/u1' },
  ]);
  const message = { ...nothing, user: { ...user, name: null }, message: 'grace-ending' };
  expect(listSubjects({ about: message }).map(({ text }) => text)).toEqual([
    'last reminder before access ends',
    'for a deleted account',
  ]);
});

describe('the error of a job', () => {
  it.each([
    ['connect ECONNREFUSED 127.0.0.1:25', /refused the connection/],
    ['getaddrinfo ENOTFOUND mail.example.com', /address couldn’t be found/],
    ['The operation timed out', /didn’t answer in time/],
    ["ENOSPC: no space left on device, write '/data/x'", /disk is full/],
    ['550 5.1.1 No such user', /rejected the recipient/],
    ['The lease of this job expired.', /stopped while the job was running/],
  ])('of another program is put into words: %s', (error, words) => {
    expect(describeJobError(error).words).toMatch(words);
    expect(describeJobError(error).original).toBe(error);
  });

  it('of ours is shown as it is, without ids', () => {
    const release = 'The release e-mail has no recipient.';
    expect(describeJobError(release)).toEqual({ words: release, original: null });
    expect(describeJobError('The file isn’t audio.')).toEqual({
      words: 'The file isn’t audio.',
      original: null,
    });
    const { words } = describeJobError(
      'Track 01m7hmtfjb9zqsfzg9cjykwjnj and sub_1a2b3c4d5e6f7 have no file.',
    );
    expect(words).toBe('Track … and … have no file.');
    expect(describeJobError('Unconstitutionally long words stay').words).toContain(
      'Unconstitutionally',
    );
  });
});
