import { ExternalLink, MessageSquare, Pencil } from '#web/ui/icons.ts';
import { Link } from 'wouter';
import { CatalogueRow } from './editor/catalogue-row.tsx';
import { useCatalogue } from './editor/use-catalogue.ts';
import { boot } from '#web/lib/store/boot.ts';
import { iconButtonClass } from '#web/ui/icon-button.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import { CatalogueList } from './catalogue-list.tsx';

export function Page() {
  const catalogue = useCatalogue();
  return (
    <AdminFrame title="Mixes">
      <CatalogueList catalogue={catalogue}>
        {(track) => (
          <CatalogueRow
            key={track.id}
            track={track}
            timeZone={boot.timeZone}
            hasFiles
            end={
              track.state !== 'deleted' && (
                <span className="flex @max-lg/content:flex-col @max-lg/content:self-start">
                  <Link
                    href={`/admin/tracks/edit/${track.id}`}
                    aria-label={`Edit ${track.title}`}
                    className={iconButtonClass()}
                  >
                    <Pencil />
                  </Link>
                  {boot.hasMoments && (
                    <Link
                      href={`/admin/moments?track=${track.id}`}
                      aria-label={`Moments of ${track.title}`}
                      className={iconButtonClass()}
                    >
                      <MessageSquare />
                    </Link>
                  )}
                  <Link
                    href={`/track/${track.id}`}
                    aria-label={`Open ${track.title}`}
                    className={iconButtonClass()}
                  >
                    <ExternalLink />
                  </Link>
                </span>
              )
            }
          />
        )}
      </CatalogueList>
    </AdminFrame>
  );
}
