import type { Moment, MomentObstacle, OwnMoment } from '#contract/moments.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import { hasFullAccess, visibleUntil } from '#contract/rules/access.ts';
import {
  findForbiddenWord,
  minuteOf,
  MOMENT_COLUMNS,
  MOMENT_EDIT_MS,
} from '#contract/rules/moments.ts';
import { DAY, formatDuration } from '#contract/rules/time.ts';
import { newId } from '../../db/ids.ts';
import { readSettings } from '../../db/settings.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { getVisibleTrack } from '../tracks/service.ts';
import {
  deleteOwn,
  findBan,
  findMoment,
  insertMoment,
  listMarks,
  listMoments,
  listOwn,
  listOwnOnTrack,
  updateText,
  type Column,
  type MomentRow,
} from './queries.ts';

export { exportMoments } from './queries.ts';

type Track = Readonly<TracksTable>;

/** Seconds that the track has. A line behind the end waits until the audio is longer again. */
const secondsOf = ({ duration_ms }: Track): number => Math.ceil(duration_ms / 1000);

function present(row: MomentRow, { user }: Viewer, now: number): Moment {
  const { id, second, text, username } = row;
  const editableMs = Math.max(0, row.created_at + MOMENT_EDIT_MS - now);
  const own =
    row.user_id === user.id
      ? {
          editableMs: row.hidden_at === null ? Math.min(editableMs, MOMENT_EDIT_MS) : 0,
          isHidden: row.hidden_at !== null,
        }
      : null;
  return { id, at: second, text, username, own };
}

async function open(deps: Deps, viewer: Viewer, trackId: string) {
  const track = await getVisibleTrack(deps, viewer, trackId);
  const { areMomentsOn, forbiddenWords } = await readSettings(deps.database.db, deps.clock.now());
  return { track, isOn: areMomentsOn && track.has_moments === 1, forbiddenWords };
}

async function findObstacle(deps: Deps, { user }: Viewer): Promise<MomentObstacle | null> {
  if (!hasFullAccess(user, deps.clock.now())) return 'premium';
  return (await findBan(deps.database.db, user.id)) === null ? null : 'banned';
}

/** The part of a day, or of anything else, that a golden turn has reached: never twice the same. */
const turnOf = (count: number): number => (count * 0.618_033_988_749_895) % 1;

/** Equal parts of the track. Each day another line of a crowded part has its turn. */
export function divideIntoColumns(seconds: number, now: number): Column[] {
  const count = Math.min(MOMENT_COLUMNS, seconds);
  const startOf = (index: number) => Math.floor((index * seconds) / count);
  const turn = turnOf(Math.floor(now / DAY));
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [startOf(index), startOf(index + 1)];
    return { from, turn: from + Math.floor(turn * (to - from)), to };
  });
}

/** One line per column. The reader's own comes first, so that nobody misses what they wrote. */
function pickMarks(columns: readonly Column[], own: MomentRow[], others: MomentRow[]) {
  const rows = [...own.filter(({ hidden_at }) => hidden_at === null), ...others];
  return columns.flatMap(
    ({ from, to }) => rows.find(({ second }) => second >= from && second < to) ?? [],
  );
}

export async function readMarks(deps: Deps, viewer: Viewer, trackId: string) {
  const { track, isOn } = await open(deps, viewer, trackId);
  if (!isOn) return { isOn, obstacle: null, marks: [] };
  const { db } = deps.database;
  const now = deps.clock.now();
  const columns = divideIntoColumns(secondsOf(track), now);
  const own = await listOwnOnTrack(db, viewer.user.id, track.id);
  const marks = pickMarks(columns, own, await listMarks(db, track.id, columns));
  return {
    isOn,
    obstacle: await findObstacle(deps, viewer),
    marks: marks.map((row) => present(row, viewer, now)),
  };
}

export async function listTrackMoments(
  deps: Deps,
  viewer: Viewer,
  trackId: string,
  { from = 0, ...page }: PageQuery & { from?: number | undefined },
): Promise<Page<Moment>> {
  const { track, isOn } = await open(deps, viewer, trackId);
  if (!isOn) return { items: [], nextCursor: null };
  const now = deps.clock.now();
  const { rows, nextCursor } = await listMoments(
    deps.database.db,
    { trackId: track.id, userId: viewer.user.id, from, end: secondsOf(track) },
    page,
  );
  return { items: rows.map((row) => present(row, viewer, now)), nextCursor };
}

/** Throws unless the viewer may leave this line on this track now. */
async function assertWritable(deps: Deps, viewer: Viewer, trackId: string, text: string) {
  const { track, isOn, forbiddenWords } = await open(deps, viewer, trackId);
  if (!isOn) throw new AppError('moments_off');
  const obstacle = await findObstacle(deps, viewer);
  if (obstacle === 'premium') throw new AppError('subscribers_only');
  if (obstacle === 'banned') throw new AppError('moments_banned');
  const word = findForbiddenWord(text, forbiddenWords);
  if (word === null) return track;
  const message = `“${word}” isn’t allowed here. Say it in other words.`;
  throw new AppError('moment_refused', { message });
}

const HIDDEN_TAKEN =
  'The moment you left in this minute of the mix was hidden. Choose another minute.';

export async function leaveMoment(
  deps: Deps,
  viewer: Viewer,
  trackId: string,
  { at, text }: { at: number; text: string },
): Promise<Moment> {
  const track = await assertWritable(deps, viewer, trackId, text);
  if (at >= secondsOf(track)) {
    const message = `This mix ends at ${formatDuration(track.duration_ms / 1000)}.`;
    throw new AppError('validation_failed', { message, fields: { at: message } });
  }
  const now = deps.clock.now();
  const { user } = viewer;
  const row = {
    id: newId(now),
    user_id: user.id,
    track_id: track.id,
    second: at,
    minute: minuteOf(at),
    text,
    created_at: now,
    hidden_at: null,
  };
  const { db } = deps.database;
  if (!(await insertMoment(db, row))) {
    const own = await listOwnOnTrack(db, user.id, track.id);
    const isHidden = own.some(
      ({ minute, hidden_at }) => minute === row.minute && hidden_at !== null,
    );
    throw new AppError('moment_taken', isHidden ? { message: HIDDEN_TAKEN } : {});
  }
  return present({ ...row, username: user.username }, viewer, now);
}

export async function changeMoment(
  deps: Deps,
  viewer: Viewer,
  id: string,
  text: string,
): Promise<Moment> {
  const { db } = deps.database;
  const now = deps.clock.now();
  const row = await findMoment(db, id);
  if (row?.user_id !== viewer.user.id) throw new AppError('not_found');
  await assertWritable(deps, viewer, row.track_id, text);
  const key = { id, userId: row.user_id, writtenAfter: now - MOMENT_EDIT_MS };
  if (!(await updateText(db, key, text))) throw new AppError('moment_final');
  return present({ ...row, text }, viewer, now);
}

/** Works always: also for somebody who is banned or no longer subscribes, and where they are off. */
export async function deleteMoment({ database }: Deps, { user }: Viewer, id: string) {
  if (!(await deleteOwn(database.db, id, user.id))) throw new AppError('not_found');
}

export async function listOwnMoments(
  { database, clock }: Deps,
  { user }: Viewer,
  page: PageQuery,
): Promise<Page<OwnMoment>> {
  const publishedBy = visibleUntil(user, clock.now());
  const { rows, nextCursor } = await listOwn(database.db, user.id, publishedBy, page);
  const items = rows.map((row) => ({
    id: row.id,
    at: row.second,
    text: row.text,
    createdAt: row.created_at,
    track: { id: row.track_id, title: row.title, weekNumber: row.week, year: row.year },
  }));
  return { items, nextCursor };
}
