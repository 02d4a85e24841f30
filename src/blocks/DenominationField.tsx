import { filterApi } from '../api/portal.ts'
import { formatCents } from '../domain/money.ts'
import { useReferenceList } from '../offline/reads/useReferenceList.ts'
import { SelectField } from '../ui/form/SelectField.tsx'
import { useReferenceListHint } from './useListHint.ts'
import { useUser } from './accounts/useUser.ts'

interface DenominationFieldProps {
  /** Cents as text, the form a select and a URL know; empty is all. */
  value: string
  onChange: (value: string) => void
  all?: string
  className?: string
}

/** Denominations of the programme, offline from what the worker kept. */
export function DenominationField({ all = 'All', ...field }: DenominationFieldProps) {
  const { guid } = useUser()
  const list = useReferenceList(guid, 'denominations', () => filterApi.denominations())
  const options = (list.entries ?? []).map(({ denomination_cents }) => ({
    value: String(denomination_cents),
    label: formatCents(denomination_cents),
  }))
  return (
    <SelectField
      {...field}
      label="Denomination"
      options={[{ value: '', label: all }, ...options]}
      {...useReferenceListHint(list)}
    />
  )
}
