import { describe, expect, it } from 'vitest';
import { resumeAt } from './resume-positions.ts';
import { buildPreview, buildTrack } from '#web/testing/build-track.ts';

const progressAt = (position: number, listenedAt: number) => ({
  position,
  listened: position,
  listenedAt,
  isFinished: false,
});
const savedAt = (seconds: number, at = 1) => ({ seconds, at });

describe('where a track resumes', () => {
  it.each([
    { what: 'in the middle', seconds: 100, at: 100 },
    { what: 'not just after the beginning', seconds: 10, at: 0 },
    { what: 'not just before the end', seconds: 290, at: 0 },
  ])('$what', ({ seconds, at }) => {
    expect(resumeAt(buildTrack('a'), savedAt(seconds))).toBe(at);
    expect(resumeAt(buildTrack('a', { progress: progressAt(seconds, 1) }), null)).toBe(at);
  });

  it('not in a preview', () => {
    expect(resumeAt(buildPreview('p'), savedAt(100))).toBe(0);
    expect(resumeAt(buildPreview('p', { progress: progressAt(100, 1) }), null)).toBe(0);
  });

  it('at the server’s position, unless this device played it later', () => {
    const track = buildTrack('a', { progress: progressAt(200, 50) });
    expect(resumeAt(track, savedAt(100, 49))).toBe(200);
    expect(resumeAt(track, savedAt(100, 51))).toBe(100);
  });

  it('at the beginning once it was finished, despite an older copy', () => {
    expect(resumeAt(buildTrack('a', { progress: progressAt(200, 50) }), savedAt(0, 51))).toBe(0);
    const finished = { position: 295, listened: 295, listenedAt: 60, isFinished: true };
    expect(resumeAt(buildTrack('a', { progress: finished }), savedAt(100, 51))).toBe(0);
  });
});
