import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { CLIP_FILES, clipFilePath, clipPath, type Clip, type ClipFile } from '#contract/clips.ts';
import { formatFileSize } from '#contract/rules/format.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { Track } from '#contract/tracks.ts';
import { request } from '#web/lib/api/api.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { ArrowDownToLine, Copy, Share2 } from '#web/ui/icons.ts';
import { removeClipMutation } from './clip-api.ts';
import { copyLink } from './copy-link.ts';

type OwnClipProps = { track: Track; clip: Clip };

/** A clip and what can be done with it, or how far it is. */
export function OwnClip({ track, clip }: OwnClipProps) {
  const { start, seconds, state } = clip;
  const client = useQueryClient();
  const remove = useMutation({
    ...removeClipMutation(client, track.id),
    onError: (error: Error) => showErrorToast(error, 'Couldn’t remove the clip.'),
  });
  return (
    <li className="border-t border-line py-3">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <p className="tabular">
          <b className="font-semibold">{formatCount(seconds, 'second')}</b>, from{' '}
          {formatDuration(start)}
        </p>
        <Button
          variant="quiet"
          size="sm"
          className="-mr-4"
          aria-disabled={remove.isPending}
          onClick={() => !remove.isPending && remove.mutate(clip.id)}
        >
          Remove
        </Button>
      </div>
      {state === 'ready' ? (
        <ReadyClip track={track} clip={clip} />
      ) : (
        <p role="status" className="text-13 text-text-2">
          {state === 'waiting'
            ? 'Being made. This takes a moment; you can close this and come back.'
            : 'This clip couldn’t be made. Remove it, and try again.'}
        </p>
      )}
    </li>
  );
}

const SHAPES: { file: ClipFile; label: string }[] = [
  { file: 'upright', label: 'Upright video' },
  { file: 'square', label: 'Square video' },
];

function ReadyClip({ track, clip }: OwnClipProps) {
  const url = `${window.location.origin}${clipPath(clip.id)}`;
  const name = `week-${track.weekNumber}-${formatDuration(clip.start).replaceAll(':', '-')}`;
  return (
    <div className="flex flex-wrap gap-2">
      {canShareVideos() && <ShareVideo track={track} clip={clip} url={url} name={name} />}
      <Button variant="line" size="sm" onClick={() => void copyLink(url)}>
        <Copy />
        Copy link
      </Button>
      {SHAPES.map(({ file, label }) => (
        <a
          key={file}
          href={clipFilePath(clip.id, file)}
          download={`${name}-${file}.mp4`}
          className={buttonClass({ variant: 'line', size: 'sm' })}
        >
          <ArrowDownToLine />
          {label}
          {clip.sizes && (
            <span className="font-normal text-text-3">{formatFileSize(clip.sizes[file])}</span>
          )}
        </a>
      ))}
    </div>
  );
}

/** Phones can hand a file to an app, such as WhatsApp. */
function canShareVideos(): boolean {
  if (!('canShare' in navigator)) return false;
  const video = new File([], 'clip.mp4', { type: CLIP_FILES.upright.type });
  return navigator.canShare({ files: [video] });
}

const isNamed = (error: unknown, name: string): boolean =>
  error instanceof DOMException && error.name === name;

/** Opens the device's list of apps with the video. */
function ShareVideo({ track, clip, url, name }: OwnClipProps & { url: string; name: string }) {
  const loaded = useRef<Promise<File>>(undefined);
  const load = () => {
    loaded.current ??= fetchVideo(clip.id, name).catch((error: unknown) => {
      loaded.current = undefined;
      throw error;
    });
    return loaded.current;
  };
  const share = useMutation({
    mutationFn: async () => {
      const file = await load();
      await navigator.share({ files: [file], text: `${track.title} ${url}` });
    },
    onError: (error: Error) => {
      if (isNamed(error, 'AbortError')) return;
      // Loading took longer than a press counts; now the video is there.
      if (isNamed(error, 'NotAllowedError'))
        showToast({ title: 'The video is ready', description: 'Press Share once more.' });
      else void copyLink(url);
    },
  });
  return (
    <Button
      size="sm"
      aria-disabled={share.isPending}
      onClick={() => !share.isPending && share.mutate()}
    >
      <Share2 />
      Share
    </Button>
  );
}

async function fetchVideo(id: string, name: string): Promise<File> {
  const { type } = CLIP_FILES.upright;
  const response = await request(clipFilePath(id, 'upright'));
  if (!response.ok) throw new Error(`The video failed to load: ${response.status}`);
  return new File([await response.blob()], `${name}.mp4`, { type });
}
