import { Button } from '#web/ui/button.tsx';
import { Field, FieldFrame, inputClass } from '#web/ui/forms/field.tsx';
import { AdminFrame } from '../admin-frame.tsx';

/** The form that the server writes into the page for browsers without scripting, in our clothes. */
export function AdminUploadOldPage() {
  return (
    <AdminFrame
      title="Plain upload"
      lead="One file in one plain form. Longer ones are safer on the Upload page, which can resume."
    >
      <form
        method="post"
        action="/api/admin/plain-upload"
        encType="multipart/form-data"
        className="grid max-w-[560px] gap-5"
      >
        <Field label="Title" name="title" maxLength={120} />
        <div className="grid grid-cols-2 gap-4">
          <Field label="Week" name="week" inputMode="numeric" />
          <Field label="Year" name="year" inputMode="numeric" />
        </div>
        <Field label="Genre" name="genre" maxLength={60} />
        <FieldFrame label="Tracklist" hint="One line each, with its time: 12:30 Artist - Title.">
          {(control) => (
            <textarea
              name="tracklist"
              className={`${inputClass} h-auto min-h-28 py-2.5`}
              {...control}
            />
          )}
        </FieldFrame>
        <Field label="Audio file" name="file" type="file" required className="[&_input]:py-2.5" />
        <Button type="submit" size="lg" isBlock>
          Upload
        </Button>
      </form>
    </AdminFrame>
  );
}
