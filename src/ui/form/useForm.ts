import { useEffect, useId, useReducer, useRef, useState, type FormEvent } from 'react'
import * as v from 'valibot'
import { schemaErrors, visibleErrors, type FormFailure } from './formErrors.ts'
import { formReducer, isChanged, initialState, type Values } from './formState.ts'
import { useAfterPress } from './useAfterPress.ts'

export type { FormFailure }

type FormSchema = v.GenericSchema<Values, unknown>

type TextName<V> = { [K in keyof V]-?: V[K] extends string ? K : never }[keyof V] & string

interface FormOptions<S extends FormSchema> {
  /** A synchronous object schema. A check over several fields is forwarded to the field that shows its error. */
  schema: S
  initial: v.InferInput<S>
  /** Asks the user before sending. After `false` nothing is sent, and the values stay. */
  proceed?: () => boolean | Promise<boolean>
  /** Sends the parsed values. Resolves to nothing after a success. */
  submit: (values: v.InferOutput<S>) => Promise<FormFailure | void>
}

/** The state that Form draws. */
export interface FormView {
  errors: { name: string; id: string; message: string }[]
  failure: string | undefined
  submitting: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
}

export interface FormControl<T> {
  id: string
  name: string
  value: T
  onChange: (value: T) => void
  onBlur: () => void
  error: string | undefined
}

export interface FormApi<V extends Values> extends FormView {
  values: V
  dirty: boolean
  field: (name: TextName<V>) => FormControl<string>
  /** The same for a control whose value is not text. */
  control: <K extends keyof V & string>(name: K) => FormControl<V[K]>
  setValues: (changes: Partial<V>) => void
}

const INVALID =
  ':is(input, select, textarea)[aria-invalid="true"], [aria-invalid="true"] :is(input:not([hidden]), button)'

/**
 * The state of every form. Errors appear when a field is left or on submit, never during typing. The server's field errors appear
 * in the same place. Nothing typed is lost, and a second submit is ignored until the first has ended.
 */
export function useForm<S extends FormSchema>({
  schema,
  initial,
  proceed,
  submit,
}: FormOptions<S>): FormApi<v.InferInput<S>> {
  type V = v.InferInput<S>
  const id = useId()
  const [form, dispatch] = useReducer(formReducer<V>(schema), initial, initialState)
  const inFlight = useRef(false)
  const focusOnInvalid = useFocusOnInvalid()
  const afterPress = useAfterPress()

  const names = Object.keys(form.values)
  const visible = visibleErrors(schemaErrors(schema, form.values), form.shown, form.serverErrors)
  const fieldId = (name: string) => `${id}${name}`
  const setValues = (changes: Partial<V>) => dispatch({ type: 'changed', changes })
  const control = <K extends keyof V & string>(name: K): FormControl<V[K]> => ({
    id: fieldId(name),
    name,
    value: form.values[name],
    error: visible[name],
    onChange: (value) => setValues({ [name]: value } as unknown as Partial<V>),
    onBlur: () => afterPress(() => dispatch({ type: 'left', name })),
  })

  async function send(element: HTMLFormElement) {
    dispatch({ type: 'tried' })
    const parsed = v.safeParse(schema, form.values)
    if (!parsed.success) return focusOnInvalid(element)
    if (proceed && !(await proceed())) return
    dispatch({ type: 'sending' })
    const failure = await trySubmit(() => submit(parsed.output))
    if (!failure) return dispatch({ type: 'accepted' })
    dispatch({ type: 'refused', failure })
    focusOnInvalid(element)
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // For React a dialog's form is inside the page's form, even through a portal: its submit must not reach the page's form.
    event.stopPropagation()
    if (inFlight.current) return
    inFlight.current = true
    void send(event.currentTarget).finally(() => {
      inFlight.current = false
    })
  }

  return {
    values: form.values,
    setValues,
    submitting: form.submitting,
    onSubmit,
    dirty: names.some((name) => isChanged(form, name)),
    failure: form.notice ?? visible[''],
    errors: names.flatMap((name) => {
      const message = visible[name]
      return message ? [{ name, id: fieldId(name), message }] : []
    }),
    control,
    field: (name) => control(name) as unknown as FormControl<string>,
  }
}

/** Runs a submit. An unexpected error is reported, and the user sees a general message. */
async function trySubmit(submit: () => Promise<FormFailure | void>): Promise<FormFailure | void> {
  try {
    return await submit()
  } catch (error) {
    reportError(error)
    return { message: 'Please try again.' }
  }
}

/** The title of the summary of a long form. */
const SUMMARY = '[data-notice] h2[tabindex]'

/** Returns a function that focuses the summary or the first invalid control of a form, once the errors are in the page. */
function useFocusOnInvalid(): (form: HTMLFormElement) => void {
  const [refused, setRefused] = useState<{ form: HTMLFormElement }>()
  useEffect(() => {
    const target = refused?.form.querySelector(SUMMARY) ?? refused?.form.querySelector(INVALID)
    ;(target as HTMLElement | null | undefined)?.focus()
  }, [refused])
  return (form) => setRefused({ form })
}
