import { call } from '../../api/call.ts'
import { branchOptions, denominationOptions } from '../../contract/reports/reportFilters.ts'
import { formatCents } from '../../domain/money.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { useCachedRead, type CachedRead } from '../../offline/reads/useCachedRead.ts'
import type { ControlProps } from '../../ui/form/Field.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { useUser } from '../accounts/useUser.ts'
import { ageLabel } from '../cached/CachedStrip.tsx'
import { useCurrentMinute } from '../cached/useCurrentMinute.ts'
import { useOffline } from '../connectivity/useOffline.ts'

interface BranchFieldProps extends ControlProps {
  all?: string
  className?: string
}

/** Reads the branches that this person may see, offline from the stored list. A branch's own login needs no list of them. */
function useBranchOptions() {
  const { guid, branch_guid } = useUser()
  return useCachedRead(guid, 'branches', branchOptions.answer, () =>
    branch_guid === null ? call(branchOptions) : Promise.resolve([]),
  )
}

/** True once it is known that this person has no choice of branches. */
function useHasOneBranch(): boolean {
  const { data } = useBranchOptions()
  return data !== undefined && data.length <= 1
}

/** The filter of a list by branch. It is left out where there is no choice. */
export const BranchFilter = (field: BranchFieldProps) =>
  useHasOneBranch() && field.value === '' ? null : <BranchField {...field} />

/** Asks for one of the branches that this person may see. `value` is a guid; empty means all. */
export function BranchField({ all = 'All', ...field }: BranchFieldProps) {
  const list = useBranchOptions()
  const options = (list.data ?? []).map((branch) => ({ value: branch.guid, label: branch.name, exact: true as const }))
  const isListed = field.value === '' || options.some(({ value }) => value === field.value)
  // For a branch that this person may not see, for example from a link, the field must not say "All".
  const other = isListed ? [] : [{ value: field.value, label: list.data ? 'Another branch' : 'One branch' }]
  return (
    <SelectField
      {...field}
      label="Branch"
      options={[{ value: '', label: all }, ...options, ...other]}
      {...useReferenceListHint(list)}
    />
  )
}

interface DenominationFieldProps {
  /** Cents as text, as selects and URLs need it; empty means all. */
  value: string
  onChange: (value: string) => void
  all?: string
  className?: string
}

/** Asks for one of the programme's denominations. Works offline with the stored list. */
export function DenominationField({ all = 'All', ...field }: DenominationFieldProps) {
  const { guid } = useUser()
  const list = useCachedRead(guid, 'denominations', denominationOptions.answer, () => call(denominationOptions))
  const options = (list.data ?? []).map(({ denomination_cents }) => ({
    value: String(denomination_cents),
    label: formatCents(denomination_cents),
    exact: true as const,
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

/** Returns the hint of a field with a stored list: the age of the list while offline, or that the list needs a connection. */
export function useReferenceListHint({ asOf, phase }: Pick<CachedRead<unknown>, 'asOf' | 'phase'>): {
  hint?: string
} {
  const offline = useOffline()
  const now = useCurrentMinute()
  if (phase === 'failed') return { hint: 'The list needs a connection once.' }
  if (!offline || !asOf) return {}
  const old = ageLabel(asOf, now)
  return { hint: `As of ${formatAsOf(asOf, now)}${old ? `, ${old}` : ''}` }
}
