import { useId, useRef } from 'react'
import * as v from 'valibot'
import { text } from '../../contract/fieldSchemas.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'

interface Props {
  onSave: (name: string) => void
  onClose: () => void
}

const NAME_LENGTH = 60
const Named = v.strictObject({ name: text(NAME_LENGTH) })

/** A name for what the table shows. */
export function SaveViewDialog({ onSave, onClose }: Props) {
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const form = useForm({
    schema: Named,
    initial: { name: '' },
    submit: async ({ name }) => {
      onSave(name)
      onClose()
      return undefined
    },
  })
  return (
    <Dialog
      open
      holdsForm
      onClose={onClose}
      title="Save view"
      initialFocus={first}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} variant="primary">
            Save view
          </Button>
        </>
      }
    >
      <Form form={form} id={id}>
        <TextField
          label="Name"
          hint="Search, filters, order and columns are saved on this device. Today’s date is saved as “today”."
          maxLength={NAME_LENGTH}
          autoComplete="off"
          ref={first}
          {...form.field('name')}
        />
      </Form>
    </Dialog>
  )
}
