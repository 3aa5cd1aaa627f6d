import { Upload as UploadIcon } from '#web/ui/icons.ts';
import { useRef, useState, type DragEvent } from 'react';
import { Button } from '#web/ui/button.tsx';

const ACCEPT = '.wav,.aif,.aiff,.flac,.mp3,.m4a,.aac,.ogg,.opus,audio/*';

type DropZoneProps = {
  title?: string;
  isMultiple?: boolean;
  onFiles: (files: File[]) => void;
};

/** Takes files by drag and drop or from a dialog. The server checks what they are. */
export function DropZone({
  title = 'Drop audio files here',
  isMultiple = true,
  onFiles,
}: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isDragOver, setDragOver] = useState(false);

  function drop(event: DragEvent) {
    event.preventDefault();
    setDragOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onFiles(isMultiple ? files : files.slice(0, 1));
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
          WAV, AIFF, FLAC, MP3, M4A or Ogg up to 4 GB. Uploads survive a closed tab or a power cut.
        </span>
      </div>
      <input
        ref={input}
        type="file"
        accept={ACCEPT}
        multiple={isMultiple}
        aria-label={isMultiple ? 'Audio files' : 'Audio file'}
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
