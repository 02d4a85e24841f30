import { useUser } from '../../blocks/accounts/useUser.ts'
import { isWeakPin } from '../../domain/branches.ts'
import { FieldWarning, type ControlProps } from '../../ui/form/Field.tsx'
import { TextField } from '../../ui/form/TextField.tsx'

/** The PIN of a branch. A weak one is flagged, and not refused (rule 7.5). */
export function PinField({ label = 'Branch PIN', ...field }: ControlProps & { label?: string }) {
  const { merchant_id } = useUser()
  const weak = /^\d{6}$/.test(field.value) && isWeakPin(field.value, merchant_id)
  return (
    <div>
      <TextField
        label={label}
        hint="6 digits. It begins with your merchant ID, or the end of it, unless you change that."
        look="digits"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        {...field}
      />
      <div role="status">{weak && <FieldWarning>This PIN is easy to guess. Choose another one.</FieldWarning>}</div>
    </div>
  )
}
