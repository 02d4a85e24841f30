import type * as v from 'valibot'
import {
  omitErrors,
  placeFailure,
  schemaErrors,
  dropCorrected,
  type ErrorsByPath,
  type FormFailure,
} from './formErrors.ts'

export type Values = Record<string, unknown>

export interface FormState<V extends Values> {
  values: V
  /** The first values, or those that were accepted last. */
  clean: V
  /** The fields whose errors may be shown, and `''` for those of the form as a whole. */
  shown: ReadonlySet<string>
  /** The server's messages about fields. Each goes when its field changes. */
  serverErrors: ErrorsByPath
  notice: string | undefined
  submitting: boolean
}

export type FormEventOf<V extends Values> =
  | { type: 'changed'; changes: Partial<V> }
  | { type: 'left'; name: string }
  | { type: 'tried' }
  | { type: 'sending' }
  | { type: 'accepted' }
  | { type: 'refused'; failure: FormFailure }

export const initialState = <V extends Values>(values: V): FormState<V> => ({
  values,
  clean: values,
  shown: new Set(),
  serverErrors: {},
  notice: undefined,
  submitting: false,
})

export const isChanged = <V extends Values>({ values, clean }: FormState<V>, name: string) =>
  values[name] !== clean[name]

export const formReducer =
  <V extends Values>(schema: v.GenericSchema) =>
  (form: FormState<V>, event: FormEventOf<V>): FormState<V> => {
    switch (event.type) {
      case 'changed': {
        const values: V = { ...form.values, ...event.changes }
        const changed = Object.keys(event.changes)
        const shown = dropCorrected(form.shown, schemaErrors(schema, values), changed)
        return { ...form, values, shown, serverErrors: omitErrors(form.serverErrors, changed) }
      }
      case 'left':
        // An unchanged field shows no error when it is left. The submit says that it must be filled in.
        return isChanged(form, event.name) ? { ...form, shown: new Set([...form.shown, event.name]) } : form
      case 'tried':
        return {
          ...form,
          shown: new Set([...Object.keys(form.values), '']),
          serverErrors: {},
          notice: undefined,
        }
      case 'sending':
        return { ...form, submitting: true }
      case 'accepted':
        return { ...form, submitting: false, clean: form.values, shown: new Set() }
      case 'refused': {
        const { clears = [] } = event.failure
        const { errors, notice } = placeFailure(event.failure, Object.keys(form.values))
        const values: V = { ...form.values, ...Object.fromEntries(clears.map((name) => [name, ''])) }
        const shown = new Set([...form.shown].filter((name) => !clears.includes(name)))
        return { ...form, values, shown, submitting: false, serverErrors: errors, notice }
      }
    }
  }
