import { ExternalLink, Pencil } from '#web/ui/icons.ts';
import { Link } from 'wouter';
import { CatalogueRow } from '#web/features/catalogue/catalogue-row.tsx';
import { useCatalogue } from '#web/features/catalogue/use-catalogue.ts';
import { boot } from '#web/lib/boot.ts';
import { iconButtonClass } from '#web/ui/icon-button.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import { CatalogueList } from './catalogue-list.tsx';

export function AdminTracksPage() {
  const catalogue = useCatalogue();
  return (
    <AdminFrame title="Tracks">
      <CatalogueList catalogue={catalogue}>
        {(mix) => (
          <CatalogueRow
            key={mix.id}
            mix={mix}
            timeZone={boot.timeZone}
            hasFiles
            end={
              mix.state !== 'deleted' && (
                <span className="flex">
                  <Link
                    href={`/admin/tracks/edit/${mix.id}`}
                    aria-label={`Edit ${mix.title}`}
                    className={iconButtonClass()}
                  >
                    <Pencil aria-hidden strokeWidth={1.75} />
                  </Link>
                  <Link
                    href={`/track/${mix.id}`}
                    aria-label={`Open ${mix.title}`}
                    className={iconButtonClass()}
                  >
                    <ExternalLink aria-hidden strokeWidth={1.75} />
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
