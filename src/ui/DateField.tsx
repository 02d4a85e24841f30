import type { ComponentProps } from 'react'
import { TextField } from './form/TextField.tsx'

/** A calendar day, `2026-11-21` in and out; `min` and `max` likewise. The browser shows it as the person is used to. */
export function DateField(props: Omit<ComponentProps<typeof TextField>, 'type'>) {
  return <TextField {...props} type="date" />
}
