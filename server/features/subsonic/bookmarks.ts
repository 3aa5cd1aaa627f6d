import type { BookmarksTable, PlayQueuesTable } from '../../db/types/listening-tables.ts';
import { recordPosition } from '../plays/service.ts';
import type { Part } from './answer.ts';
import { getItem } from './browsing.ts';
import type { CallContext, Calls } from './call.ts';
import { toIsoTime } from './call.ts';
import { SubsonicError } from './errors.ts';
import { loadItems, toSong, type TrackItem } from './track-items.ts';
import {
  deleteBookmarkRow,
  deleteQueue,
  findQueue,
  listBookmarkRows,
  saveBookmark,
  saveQueue,
} from './queries.ts';

const MAX_POSITION = 86_400_000;
const MAX_COMMENT = 1000;
const MAX_QUEUE = 2000;

/** If the user has listened on the site since the bookmark was made, playback continues there. */
function findBookmarkPosition(
  { position_ms, changed_at }: BookmarksTable,
  { track }: TrackItem,
): number {
  const { progress } = track;
  const isLater = progress !== null && progress.listenedAt > changed_at;
  return isLater ? Math.round(progress.position * 1000) : position_ms;
}

async function getBookmarks(context: CallContext): Promise<Part> {
  const { deps, viewer } = context;
  const rows = await listBookmarkRows(deps.database.db, viewer.user.id);
  const items = await loadItems(
    context,
    rows.map((row) => row.track_id),
  );
  const bookmark = rows.flatMap((row) => {
    const item = items.find(({ track }) => track.id === row.track_id);
    if (!item) return [];
    return [
      {
        position: findBookmarkPosition(row, item),
        username: viewer.user.username,
        comment: row.comment,
        created: toIsoTime(row.created_at),
        changed: toIsoTime(row.changed_at),
        entry: toSong(context, item),
      },
    ];
  });
  return { bookmarks: { bookmark } };
}

/** Also moves the place from which the site continues. */
async function createBookmark(context: CallContext): Promise<Part> {
  const { deps, viewer, params } = context;
  params.get('position');
  const positionMs = params.number('position', { otherwise: 0, max: MAX_POSITION });
  const comment = params.find('comment') ?? '';
  if (comment.length > MAX_COMMENT)
    throw new SubsonicError(10, `Use at most ${MAX_COMMENT} characters for the comment.`);
  const { track } = await getItem(context, params.id());
  const now = deps.clock.now();
  await saveBookmark(deps.database.db, {
    user_id: viewer.user.id,
    track_id: track.id,
    position_ms: positionMs,
    comment,
    created_at: now,
    changed_at: now,
  });
  // A position in a preview isn't a position in the mix.
  if (track.access === 'full')
    await recordPosition(deps, viewer, { trackId: track.id, positionMs });
  return {};
}

/** What an app saved; the mixes that the user may no longer see are left out. */
async function loadQueue(context: CallContext) {
  const { deps, viewer } = context;
  const row = await findQueue(deps.database.db, viewer.user.id);
  if (!row) return null;
  const ids = JSON.parse(row.track_ids) as string[];
  const items = new Map(
    (await loadItems(context, [...new Set(ids)])).map((item) => [item.track.id, item]),
  );
  const kept = ids.flatMap((id, index) => {
    const item = items.get(id);
    return item ? [{ item, index }] : [];
  });
  const current = Math.max(
    0,
    kept.findIndex(({ index }) => index >= row.current_index),
  );
  const common = {
    position: row.position_ms,
    username: viewer.user.username,
    changed: toIsoTime(row.changed_at),
    changedBy: row.changed_by,
    entry: kept.map(({ item }) => toSong(context, item)),
  };
  return kept.length === 0 ? null : { current, currentId: kept[current]?.item.track.id, common };
}

const emptyQueue = ({ deps, viewer }: CallContext) => ({
  username: viewer.user.username,
  changed: toIsoTime(deps.clock.now()),
  changedBy: '',
  entry: [],
});

/** `pickIndex` finds the current mix among those that the app sent. */
async function save(
  { deps, viewer, params, client }: CallContext,
  pickIndex: (ids: readonly string[]) => number,
): Promise<Part> {
  const { db } = deps.database;
  const ids = params.ids('id');
  if (ids.length === 0) {
    await deleteQueue(db, viewer.user.id);
    return {};
  }
  if (ids.length > MAX_QUEUE)
    throw new SubsonicError(10, `A queue has at most ${MAX_QUEUE} mixes.`);
  const index = pickIndex(ids);
  if (index < 0 || index >= ids.length)
    throw new SubsonicError(10, 'The current mix isn’t in the queue.');
  const row: PlayQueuesTable = {
    user_id: viewer.user.id,
    track_ids: JSON.stringify(ids),
    current_index: index,
    position_ms: params.number('position', { otherwise: 0, max: MAX_POSITION }),
    changed_at: deps.clock.now(),
    changed_by: client,
  };
  await saveQueue(db, row);
  return {};
}

export const bookmarkCalls: Calls = {
  getBookmarks,
  createBookmark,
  deleteBookmark: async ({ deps, viewer, params }) => {
    await deleteBookmarkRow(deps.database.db, viewer.user.id, params.id());
    return {};
  },
  getPlayQueue: async (context) => {
    const queue = await loadQueue(context);
    if (!queue) return { playQueue: emptyQueue(context) };
    return { playQueue: { current: queue.currentId, ...queue.common } };
  },
  getPlayQueueByIndex: async (context) => {
    const queue = await loadQueue(context);
    if (!queue) return { playQueueByIndex: emptyQueue(context) };
    return { playQueueByIndex: { currentIndex: queue.current, ...queue.common } };
  },
  savePlayQueue: (context) => save(context, (ids) => ids.indexOf(context.params.get('current'))),
  savePlayQueueByIndex: (context) =>
    save(context, () => {
      context.params.get('currentIndex');
      return context.params.number('currentIndex', { otherwise: -1, min: -1, max: MAX_QUEUE });
    }),
};
