import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import type { Values } from '../../ui/form/formState.ts'
import { useForm, type FormFailure } from '../../ui/form/useForm.ts'
import { useDraft } from '../drafts/useDraft.ts'
import { toFormFailure } from './toFormFailure.ts'

/** What another person saved meanwhile, beside what stands in the form. */
export interface EditConflict<V> {
  /** What both began from. */
  base: V
  theirs: V
}

interface RecordFormOptions<S extends v.GenericSchema<Values, unknown>, R> {
  /** Names the draft: "branch/…guid". */
  draft: string
  /** Fields that no draft holds: a password, a PIN. */
  secret?: readonly (keyof v.InferInput<S>)[]
  schema: S
  /** A form that edits has a `revision` among its values, which nobody sees: a draft remembers what it began from. */
  initial: v.InferInput<S>
  send: (values: v.InferOutput<S>) => Promise<R>
  saved: (record: R) => void
  /** How the record of a stale save is read, and the form it makes beside `mine`. Left out where nothing is edited. */
  edits?: { record: v.GenericSchema<unknown, R>; toForm: (record: R, mine: v.InferInput<S>) => v.InferInput<S> }
  /** Words of its own for a refusal; undefined leaves it to the usual ones. */
  refused?: (error: ApiError) => FormFailure | undefined
}

/**
 * The form of one record: kept as a draft until the server has it, and never saved over somebody else's save unseen. A stale
 * save that holds just what was saved is our own, whose answer was lost.
 */
export function useRecordForm<S extends v.GenericSchema<Values, unknown>, R>(options: RecordFormOptions<S, R>) {
  type V = v.InferInput<S>
  const id = useId()
  const [base, setBase] = useState<V>(options.initial)
  const [stale, setStale] = useState<EditConflict<V>>()
  const form = useForm({
    schema: options.schema,
    initial: options.initial,
    submit: async (values): Promise<FormFailure | void> => {
      try {
        const record = await options.send(values)
        draft.done()
        options.saved(record)
      } catch (error) {
        return failureOf(error)
      }
    },
  })
  const draft = useDraft<V>(options.draft, form, options.secret ? { secret: options.secret } : {})

  function failureOf(error: unknown): FormFailure | void {
    if (!(error instanceof ApiError && error.code === 'STALE_REVISION' && options.edits)) {
      return (error instanceof ApiError && options.refused?.(error)) || toFormFailure(error)
    }
    const current = v.parse(options.edits.record, error.data['current'])
    const theirs = options.edits.toForm(current, form.values)
    if (isSameAnswer(options.schema, form.values, theirs)) {
      draft.done()
      return options.saved(current)
    }
    setStale({ base, theirs })
    return { message: 'Somebody else has saved this meanwhile. Nothing of yours was saved yet.' }
  }

  /** `merged`: what was decided field by field; it is sent as an edit of what the other person saved. */
  function settle(merged: V) {
    if (!stale) return
    flushSync(() => {
      setBase(stale.theirs)
      setStale(undefined)
      form.setValues(merged)
    })
    document.querySelector<HTMLFormElement>(`#${CSS.escape(id)}`)?.requestSubmit()
  }
  return { id, form, draft, stale, settle, putOff: () => setStale(undefined) }
}

/** As the server reads them: texts trimmed, email addresses in lower case. */
function isSameAnswer(schema: v.GenericSchema, one: Values, other: Values): boolean {
  const read = (values: Values) => JSON.stringify(v.safeParse(schema, { ...values, revision: 0 }).output)
  return read(one) === read(other)
}
