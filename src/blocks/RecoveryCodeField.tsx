import { useEffect, useRef } from 'react'
import type { ControlProps } from '../ui/form/Field.tsx'
import { TextField } from '../ui/form/TextField.tsx'

interface RecoveryCodeFieldProps extends ControlProps {
  hint?: string
  /** It is what the person came for. */
  focused?: boolean
}

/** Case and dashes are free. */
export function RecoveryCodeField({ hint, focused = false, ...field }: RecoveryCodeFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focused) input.current?.focus()
  }, [focused])
  return (
    <TextField
      label="Recovery code"
      hint={hint}
      className="recovery-code"
      autoComplete="off"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      ref={input}
      {...field}
    />
  )
}
