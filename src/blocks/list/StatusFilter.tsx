import type { AccountStatus } from '../../contract/accounts/permissions.ts'
import { SelectField } from '../../ui/form/SelectField.tsx'

interface StatusFilterProps {
  label?: string
  value: string | undefined
  /** Those that a row of this list can have. */
  statuses: readonly AccountStatus[]
  onChange: (status: string) => void
}

export function StatusFilter({ label = 'Status', value = '', statuses, onChange }: StatusFilterProps) {
  const options = statuses.map((status) => ({ value: status, label: status }))
  return (
    <SelectField
      className="min-w-44"
      {...{ label, value, onChange }}
      options={[{ value: '', label: 'All' }, ...options]}
    />
  )
}
