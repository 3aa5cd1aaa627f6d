import { Upload as UploadIcon } from '#web/ui/icons.ts';
import { isTracklistFile, TRACKLIST_ACCEPT } from '#contract/tracklists/tracklist-files.ts';
import { useRef, useState, type DragEvent } from 'react';
import { Button } from '#web/ui/button.tsx';

const ACCEPT = '.wav,.aif,.aiff,.flac,.mp3,.m4a,.aac,.ogg,.opus,audio/*';

/** One mix, and the tracklists that came with it. */
function keepOneRecording(files: readonly File[]): File[] {
  const audio = files.find(({ name }) => !isTracklistFile(name));
  return files.filter((file) => file === audio || isTracklistFile(file.name));
}

const HINT =
  'WAV, AIFF, FLAC, MP3, M4A or Ogg up to 4 GB. Uploads survive a closed tab or a power cut.';

type DropZoneProps = {
  title?: string;
  hint?: string;
  /** The types of files that the dialog offers. */
  accept?: string;
  /** The name of the field, for screen readers. */
  label?: string;
  isMultiple?: boolean;
  /** Whether a mix can come with its tracklist. */
  takesTracklists?: boolean;
  onFiles: (files: File[]) => void;
};

/** Takes files by drag and drop or from a dialog. The server checks what they are. */
export function DropZone({
  title = 'Drop audio files here',
  hint = HINT,
  accept = ACCEPT,
  isMultiple = true,
  label = isMultiple ? 'Audio files' : 'Audio file',
  takesTracklists = false,
  onFiles,
}: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isDragOver, setDragOver] = useState(false);

  const keepOne = (files: File[]) =>
    takesTracklists ? keepOneRecording(files) : files.slice(0, 1);

  function drop(event: DragEvent) {
    event.preventDefault();
    setDragOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onFiles(isMultiple ? files : keepOne(files));
  }

  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setDragOver(true);
      }}
      onDragLeave={() => setDragOver(false)}
      onDrop={drop}
      className={`flex flex-col items-start gap-5 rounded-panel border-[1.5px] border-dashed p-5 transition-colors @2xl/content:flex-row @2xl/content:items-center @2xl/content:px-7 @2xl/content:py-[26px] ${isDragOver ? 'border-text bg-raised' : 'border-line-strong'}`}
    >
      <UploadIcon className="size-5 shrink-0" />
      <div>
        <strong className="block text-18 font-semibold">{title}</strong>
        <span className="type-meta">
          {hint}
          {takesTracklists && ' You can drop your DJ software’s tracklist together with the mix.'}
        </span>
      </div>
      <input
        ref={input}
        type="file"
        accept={takesTracklists && isMultiple ? `${accept},${TRACKLIST_ACCEPT}` : accept}
        multiple={isMultiple}
        aria-label={label}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button
        className="shrink-0 @max-2xl/content:w-full @2xl/content:ml-auto"
        onClick={() => input.current?.click()}
      >
        {isMultiple ? 'Choose files' : 'Choose a file'}
      </Button>
    </div>
  );
}
