import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDownToLine } from '#web/ui/icons.ts';
import type { User } from '#contract/accounts.ts';
import type { DownloadFormat } from '#contract/downloads.ts';
import { formatFileSize } from '#contract/rules/format.ts';
import type { Track } from '#contract/tracks.ts';
import { trackQuery } from '#web/features/tracks/api.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { downloadMutation } from './api.ts';
import { FileEndsNotice } from './file-ends-notice.tsx';
import { SaveOffline } from './save-offline.tsx';

const formatTexts: Record<DownloadFormat, string> = {
  mp3: '320 kbps, plays anywhere',
  flac: 'Lossless, studio quality',
};

type DownloadDialogProps = {
  track: Track;
  user: User | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** Offers the available formats, and saving for offline. */
export function DownloadDialog({ track, user, open, onOpenChange }: DownloadDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={track.keeping ? 'Save offline' : 'Download'}
        description={`${track.title}, week ${track.weekNumber}`}
      >
        <Formats track={track} user={user} onStarted={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

type FormatsProps = Pick<DownloadDialogProps, 'track' | 'user'> & { onStarted: () => void };

function Formats({ track, user, onStarted }: FormatsProps) {
  const client = useQueryClient();
  const download = useMutation(downloadMutation(client, track));
  return (
    <Loaded
      query={useQuery(trackQuery(track.id))}
      look="line"
      failed="Couldn’t load the formats."
      skeleton={
        <p role="status" className="min-h-32 text-text-2">
          Loading formats…
        </p>
      }
    >
      {(data) => (
        <>
          {data.formats.length === 0 && !(data.keeping && !data.isSavingOff) && (
            <p className="pb-3 text-text-2">
              {data.keeping
                ? 'This mix can only be streamed.'
                : 'This mix is still being processed. Try again later.'}
            </p>
          )}
          {data.formats.length > 0 && <FileEndsNotice />}
          <ul>
            {data.formats.map((format) => (
              <li key={format} className="border-t border-line">
                <button
                  type="button"
                  aria-disabled={download.isPending}
                  onClick={() =>
                    download.isPending || download.mutate(format, { onSuccess: onStarted })
                  }
                  className="group flex w-full items-center gap-3.5 py-3 text-left"
                >
                  <span className="min-w-0 flex-1">
                    <b className="block font-semibold group-hover:underline group-hover:underline-offset-4">
                      {format.toUpperCase()}
                    </b>
                    <span className="type-meta">{formatTexts[format]}</span>
                  </span>
                  <span className="type-meta tabular">
                    {formatFileSize(data.sizes[format] ?? 0)}
                  </span>
                  <ArrowDownToLine className="size-5 text-text-2" />
                </button>
              </li>
            ))}
          </ul>
          <SaveOffline track={data} user={user} />
        </>
      )}
    </Loaded>
  );
}
