import { SelectField } from '../../ui/form/SelectField.tsx'
import { useMasters } from './useMasters.ts'

interface MasterFilterProps {
  value: string | undefined
  /** Not where every branch has a master. */
  withNone: boolean
  onChange: (master: string) => void
}

export function MasterFilter({ value = '', withNone, onChange }: MasterFilterProps) {
  const { entries = [] } = useMasters()
  const none = withNone ? [{ value: 'none', label: 'Main account' }] : []
  const masters = entries.map(({ guid, name }) => ({ value: guid, label: name }))
  return (
    <SelectField
      className="min-w-44"
      label="Managed by"
      {...{ value, onChange }}
      options={[{ value: '', label: 'All' }, ...none, ...masters]}
    />
  )
}
