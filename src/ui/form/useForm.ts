import { useEffect, useId, useReducer, useRef, useState, type FormEvent } from 'react'
import * as v from 'valibot'
import { schemaErrors, visibleErrors, type FormFailure } from './formErrors.ts'
import { formReducer, isChanged, pristine, type Values } from './formState.ts'
import { useAfterPress } from './useAfterPress.ts'

export type { FormFailure }

type FormSchema = v.GenericSchema<Values, unknown>

type TextName<V> = { [K in keyof V]-?: V[K] extends string ? K : never }[keyof V] & string

interface FormOptions<S extends FormSchema> {
  /** An object schema; checks over several fields are forwarded to the one that shows them. Synchronous. */
  schema: S
  initial: v.InferInput<S>
  /** The last stop before sending, a question or a summary: with `false` nothing is sent and nothing forgotten. */
  proceed?: () => boolean | Promise<boolean>
  /** Gets the parsed values. Nothing means it worked. */
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
  /** The same for a control that holds anything but text. */
  control: <K extends keyof V & string>(name: K) => FormControl<V[K]>
  setValues: (changes: Partial<V>) => void
}

const INVALID =
  ':is(input, select, textarea)[aria-invalid="true"], [aria-invalid="true"] :is(input:not([hidden]), button)'

/**
 * The one form. Errors come on leaving a field or on submit, never while typing; the server's field errors stand in the same
 * place; nothing typed is lost; a second submit waits for the first.
 */
export function useForm<S extends FormSchema>({
  schema,
  initial,
  proceed,
  submit,
}: FormOptions<S>): FormApi<v.InferInput<S>> {
  type V = v.InferInput<S>
  const id = useId()
  const [form, tell] = useReducer(formReducer<V>(schema), initial, pristine)
  const inFlight = useRef(false)
  const focusOnInvalid = useFocusOnInvalid()
  const afterPress = useAfterPress()

  const names = Object.keys(form.values)
  const visible = visibleErrors(schemaErrors(schema, form.values), form.shown, form.told)
  const fieldId = (name: string) => `${id}${name}`
  const setValues = (changes: Partial<V>) => tell({ type: 'changed', changes })
  const control = <K extends keyof V & string>(name: K): FormControl<V[K]> => ({
    id: fieldId(name),
    name,
    value: form.values[name],
    error: visible[name],
    onChange: (value) => setValues({ [name]: value } as unknown as Partial<V>),
    onBlur: () => afterPress(() => tell({ type: 'left', name })),
  })

  async function send(element: HTMLFormElement) {
    tell({ type: 'tried' })
    const parsed = v.safeParse(schema, form.values)
    if (!parsed.success) return focusOnInvalid(element)
    if (proceed && !(await proceed())) return
    tell({ type: 'sending' })
    const failure = await attempt(() => submit(parsed.output))
    if (!failure) return tell({ type: 'accepted' })
    tell({ type: 'refused', failure })
    focusOnInvalid(element)
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // A dialog's form stands inside the page's for React, portal or not: its submit must not be the page's.
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

/** Runs a submit. An unexpected error is reported, and the person sees the spec's text for it. */
async function attempt(submit: () => Promise<FormFailure | void>): Promise<FormFailure | void> {
  try {
    return await submit()
  } catch (surprise) {
    reportError(surprise)
    return { message: 'Please try again.' }
  }
}

/** Gives a function that focuses the first invalid control of a form, once the errors stand in the page. */
function useFocusOnInvalid(): (form: HTMLFormElement) => void {
  const [refused, setRefused] = useState<{ form: HTMLFormElement }>()
  useEffect(() => {
    refused?.form.querySelector<HTMLElement>(INVALID)?.focus()
  }, [refused])
  return (form) => setRefused({ form })
}
