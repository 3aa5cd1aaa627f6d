import { addFavorite, removeFavorite } from '../favorites/service.ts';
import type { CallContext, Calls } from './call.ts';
import { listItemsOf } from './browsing.ts';
import { SubsonicError } from './errors.ts';
import { parseId } from './ids.ts';

/** Of one call. */
const MAX_STARRED = 500;

/** The mixes to star: a week stands for all of its mixes. */
async function listChosen(context: CallContext): Promise<string[]> {
  const { params } = context;
  const ids = [...params.ids('id'), ...params.ids('albumId')];
  const isArtist =
    params.ids('artistId').length > 0 || ids.some((id) => parseId(id).kind === 'artist');
  if (isArtist) throw new SubsonicError(50, 'Artists can’t be favorites here, only mixes.');
  if (ids.length === 0) throw new SubsonicError(10, 'The required parameter id is missing.');
  const chosen = new Set<string>();
  for (const id of ids) {
    const items = await listItemsOf(context, id);
    if (items.length === 0) throw new SubsonicError(70);
    for (const { track } of items) chosen.add(track.id);
  }
  if (chosen.size > MAX_STARRED)
    throw new SubsonicError(10, `Send at most ${MAX_STARRED} mixes at once.`);
  return [...chosen];
}

const forEachChosen =
  (
    change: (deps: CallContext['deps'], viewer: CallContext['viewer'], id: string) => Promise<void>,
  ) =>
  async (context: CallContext) => {
    for (const id of await listChosen(context)) await change(context.deps, context.viewer, id);
    return {};
  };

export const annotationCalls: Calls = {
  star: forEachChosen(addFavorite),
  unstar: forEachChosen(removeFavorite),
  // Success without storing it would mislead the app.
  setRating: async () => {
    throw new SubsonicError(50, 'Mixes aren’t rated here. Star the ones you like.');
  },
};
