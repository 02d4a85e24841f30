import { useState } from 'react'
import { filterApi } from '../api/portal.ts'
import { formatCents } from '../domain/money.ts'
import { formatAsOf } from '../domain/singaporeTime.ts'
import { useOffline } from './useOffline.ts'
import { useReferenceList } from '../offline/page/useReferenceList.ts'
import { SelectField } from '../ui/SelectField.tsx'
import { useUser } from './useUser.ts'

interface Props {
  /** Cents as text, the form a select and a URL know; empty is all. */
  value: string
  onChange: (value: string) => void
  all?: string
}

/** Denominations of the programme, offline from what the worker kept. */
export function DenominationField({ value, onChange, all = 'All' }: Props) {
  const { guid } = useUser()
  const offline = useOffline()
  const [now] = useState(() => new Date())
  const { entries, asOf, missing } = useReferenceList(guid, 'denominations', () => filterApi.denominations())
  const options = (entries ?? []).map(({ denomination_cents }) => ({
    value: String(denomination_cents),
    label: formatCents(denomination_cents),
  }))
  return (
    <SelectField
      label="Denomination"
      value={value}
      onChange={onChange}
      options={[{ value: '', label: all }, ...options]}
      {...hintOf(missing, offline && asOf ? formatAsOf(asOf, now) : undefined)}
    />
  )
}

/** A kept list names its age; a list that was never kept says what it needs. */
function hintOf(missing: boolean, age: string | undefined): { hint?: string } {
  if (missing) return { hint: 'The list needs a connection once.' }
  return age === undefined ? {} : { hint: `As of ${age}` }
}
