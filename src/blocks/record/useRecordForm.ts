import { useRef } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { choose } from '../../state/dialogs.ts'
import { labelOf } from '../../ui/form/Form.tsx'
import type { Values } from '../../ui/form/formState.ts'
import { useForm, type FormApi, type FormFailure } from '../../ui/form/useForm.ts'
import { useDraft } from '../drafts/useDraft.ts'
import { toFormFailure } from './toFormFailure.ts'

interface RecordFormOptions<S extends v.GenericSchema<Values, unknown>, R> {
  /** Names the draft: "branch/…guid". */
  draft: string
  /** Fields that are never stored in a draft: a password, a PIN. */
  secret?: readonly (keyof v.InferInput<S>)[]
  schema: S
  /** A form that edits has a hidden `revision` among its values: a draft remembers the version it began from. */
  initial: v.InferInput<S>
  send: (values: v.InferOutput<S>) => Promise<R>
  saved: (record: R) => void
  /** Reads the record after a stale save, and makes the form's values for it beside `mine`. Missing for a new record. */
  edits?: {
    record: v.GenericSchema<unknown, R>
    toForm: (record: R, mine: v.InferInput<S>) => v.InferInput<S>
    /** Names fields that somebody else changed though the form's values do not show it: a saved file is "saved" before and after. */
    alsoChanged?: (record: R) => readonly string[]
  }
  /** Returns a special message for a refusal; undefined for the usual one. */
  refused?: (error: ApiError, sent: v.InferInput<S>) => FormFailure | undefined
}

/**
 * Makes the form of one record, stored as a draft until the server has saved it. If another person has saved meanwhile, fields
 * that only they changed get their values. For fields that both changed, this person chooses. If the saved values equal this
 * person's, their own save had succeeded and only the answer was lost.
 */
export function useRecordForm<S extends v.GenericSchema<Values, unknown>, R>(options: RecordFormOptions<S, R>) {
  type V = v.InferInput<S>
  const { schema, send, saved, edits, refused } = options
  /** The values of the fields when this person began. */
  const base = useRef<V>(options.initial)
  const form: FormApi<V> = useForm({ schema, initial: options.initial, submit: () => save(form.values) })
  const draft = useDraft<V>(options.draft, form, options.secret ? { secret: options.secret } : {})

  const accept = (record: R) => {
    draft.done()
    saved(record)
  }

  function save(mine: V): Promise<FormFailure | void> {
    return send(v.parse(schema, mine)).then(accept, (error: unknown) => {
      if (error instanceof ApiError && error.code === 'STALE_REVISION' && edits)
        return merge(mine, v.parse(edits.record, error.data['current']), edits)
      return (error instanceof ApiError && refused?.(error, mine)) || toFormFailure(error)
    })
  }

  async function merge(
    mine: V,
    current: R,
    { toForm, alsoChanged }: NonNullable<typeof edits>,
  ): Promise<FormFailure | void> {
    const theirs = toForm(current, mine)
    if (isSameAnswer(schema, mine, theirs)) return accept(current)
    const before = base.current
    const touched = Object.keys(mine).filter((name) => name !== 'revision' && !isSame(mine[name], before[name]))
    // The draft began from an older record than this form: it is not known which fields the person changed.
    const isOlder = mine['revision'] !== before['revision']
    const hidden = alsoChanged?.(current) ?? []
    const contested = touched.filter(
      (name) =>
        !isSame(mine[name], theirs[name]) && (isOlder || hidden.includes(name) || !isSame(theirs[name], before[name])),
    )
    const answer =
      contested.length === 0
        ? 'act'
        : await choose(
            question(
              contested.map((name) => labelFor(name)),
              isOlder,
            ),
          )
    if (answer === 'dismiss')
      return { message: 'Somebody else has saved this meanwhile. Nothing of yours was saved yet.' }
    base.current = theirs
    const stays = answer === 'act' ? touched : touched.filter((name) => !contested.includes(name))
    const merged: V = { ...theirs, ...Object.fromEntries(stays.map((name) => [name, mine[name]])) }
    // Sets only the fields that the merge changes: text that was typed during the call stays.
    const changes = Object.entries(merged).filter(([name, value]) => !isSame(value, mine[name]))
    form.setValues(Object.fromEntries(changes) as Partial<V>)
    if (answer !== 'act')
      return { message: 'The fields have what was saved meanwhile. Nothing of yours was saved yet.' }
    if (!v.safeParse(schema, merged).success)
      return { message: 'This does not fit what was saved meanwhile. Check the marked fields.' }
    return save(merged)
  }

  const labelFor = (name: string) => labelOf(form.control(name as keyof V & string).id)
  return { form, draft }
}

/** `isOlder`: the changes come from a draft that began before, so all that differs is listed. */
const question = (labels: readonly string[], isOlder: boolean) => ({
  title: 'Somebody else saved this meanwhile',
  consequence: isOlder ? 'Your draft began before that. It differs in:' : 'You both changed:',
  items: [...new Set(labels.filter(Boolean))].map((label) => ({ id: label, text: label })),
  act: 'Save mine',
  secondary: 'Discard mine',
  dismiss: 'Back to the form',
  destructive: true,
})

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Compares values as the server reads them: texts trimmed, email addresses in lower case. */
function isSameAnswer(schema: v.GenericSchema, one: Values, other: Values): boolean {
  const read = (values: Values) => JSON.stringify(v.safeParse(schema, { ...values, revision: 0 }).output)
  return read(one) === read(other)
}
