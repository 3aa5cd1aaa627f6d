import { lookImagePath, type About } from '#contract/look.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { renderSiteText } from '../legal/service.ts';

/** What the About page says, to those who may read it. */
export async function getAbout(deps: Deps, viewer: Viewer | null): Promise<About> {
  const { about, sentence, links, picture } = deps.config.look;
  if (about === 'members' && !viewer) throw new AppError('unauthenticated');
  if (about === null) throw new AppError('not_found');
  const { aboutText } = await readSettings(deps.database.db, deps.clock.now());
  return {
    sentence,
    html: await renderSiteText(deps, aboutText),
    links: [...links],
    picture: picture && {
      path: lookImagePath(picture),
      smallPath: lookImagePath(picture, 'small'),
      width: picture.width,
      height: picture.height,
    },
  };
}
