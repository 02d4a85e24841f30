import { useEffect, useId, useRef } from 'react'
import type * as v from 'valibot'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { Form } from '../../ui/form/Form.tsx'
import type { Values } from '../../ui/form/formState.ts'
import { useForm, type FormApi, type FormFailure } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { useOffline } from '../connectivity/useOffline.ts'
import { useUnsavedWork } from '../drafts/useDraft.ts'
import { toFormFailure } from './toFormFailure.ts'

interface Props<S extends v.GenericSchema<Values, unknown>, R> {
  title: string
  /** The label of the button. */
  act: string
  schema: S
  initial: v.InferInput<S>
  send: (values: v.InferOutput<S>) => Promise<R>
  /** Returns the text of a toast, after which the dialog closes. If it returns undefined, the opener decides what comes next. */
  done: (answer: R) => string | undefined
  /** Turns a rejected `send` into the failure that the form shows. */
  failed?: (error: unknown) => FormFailure
  /** True if the action affects this device only. */
  worksOffline?: true
  onClose: () => void
  children: (form: FormApi<v.InferInput<S>>) => Elements
}

/** The dialog for every short form. Offline, it says that it needs a connection before the person submits. */
export function FormDialog<S extends v.GenericSchema<Values, unknown>, R>(props: Props<S, R>) {
  const { title, act, schema, initial, send, done, failed = toFormFailure, worksOffline, onClose, children } = props
  const id = useId()
  const offline = useOffline() && !worksOffline
  // An answer that comes after Cancel must not close another dialog.
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => void (isOpen.current = false)
  }, [])
  const form = useForm({
    schema,
    initial,
    submit: async (values) => {
      try {
        const text = done(await send(values))
        if (text === undefined) return
        showToast({ tone: 'success', text })
        if (isOpen.current) onClose()
      } catch (error) {
        return failed(error)
      }
    },
  })
  useUnsavedWork(id, form.dirty)
  const actions = (
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
        aria-disabled={offline || undefined}
        aria-describedby={`${id}-connection`}
      >
        {act}
      </Button>
    </>
  )
  return (
    <Dialog open hasLongContent title={title} actions={actions} onClose={onClose}>
      <Form form={form} id={id}>
        {children(form)}
      </Form>
    </Dialog>
  )
}
