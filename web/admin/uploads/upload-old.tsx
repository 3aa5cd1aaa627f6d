import { TRACKLIST_ACCEPT } from '#contract/tracklists/tracklist-files.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, TextAreaField } from '#web/ui/forms/field.tsx';
import { AdminFrame } from '../admin-frame.tsx';

const FILE_FIELD =
  '[&_input]:py-2.5 [&_input]:file:mr-3 [&_input]:file:font-semibold [&_input]:file:underline [&_input]:file:underline-offset-4';

/** The same form as the server writes into the page for browsers without JavaScript. */
export function Page() {
  return (
    <AdminFrame
      title="Basic upload"
      lead="A simple form for one file. For large files use Upload, which can resume."
    >
      <form
        method="post"
        action="/api/admin/basic-upload"
        encType="multipart/form-data"
        className="grid max-w-[560px] gap-5"
      >
        <Field label="Title" name="title" maxLength={120} />
        <div className="grid grid-cols-2 gap-4">
          <Field label="Week" name="week" inputMode="numeric" />
          <Field label="Year" name="year" inputMode="numeric" />
        </div>
        <Field label="Genre" name="genre" maxLength={60} />
        <TextAreaField
          label="Tracklist"
          hint="One track per line: 12:30 Artist - Title."
          name="tracklist"
          className="min-h-28"
        />
        <Field
          label="Or a tracklist file from your DJ software"
          name="tracklistFile"
          type="file"
          accept={TRACKLIST_ACCEPT}
          className={FILE_FIELD}
        />
        <Field label="Audio file" name="file" type="file" required className={FILE_FIELD} />
        <Button type="submit" size="lg" isBlock>
          Upload
        </Button>
      </form>
    </AdminFrame>
  );
}
