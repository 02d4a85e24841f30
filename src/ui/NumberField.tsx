import type { ComponentProps } from 'react'
import { TextField } from './form/TextField.tsx'

/**
 * A count or an amount, as text until the schema reads it: a native number field swallows what it does not understand, and
 * changes with a turn of the wheel.
 */
export const NumberField = (props: Omit<ComponentProps<typeof TextField>, 'type' | 'inputMode'>) => (
  <TextField inputMode="numeric" autoComplete="off" {...props} />
)
