import { Button } from '../../ui/Button.tsx'
import { useOffline } from '../connectivity/useOffline.ts'

interface Props {
  act: string
  /** Of the form in the dialog. */
  id: string
  form: { submitting: boolean; waiting: true | undefined }
  onClose: () => void
}

/** The buttons of a dialog that sends a form. Offline they say so before the tap. */
export function FormDialogActions({ act, id, form, onClose }: Props) {
  const offline = useOffline()
  return (
    <>
      <span className="my-auto mr-auto text-muted" role="status" id={`${id}-connection`}>
        {offline && 'Needs a connection.'}
      </span>
      <Button onClick={onClose}>Cancel</Button>
      <Button
        type="submit"
        form={id}
        variant="primary"
        busy={form.submitting}
        aria-disabled={offline || form.waiting}
        aria-describedby={`${id}-connection`}
      >
        {act}
      </Button>
    </>
  )
}
