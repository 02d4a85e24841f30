import { useUser } from '../../blocks/accounts/useUser.ts'
import { BranchField, DenominationField } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { DaysFilter, ListFilters, type ListFiltersProps } from '../../blocks/tables/ListFilters.tsx'
import { ListSearch } from '../../blocks/tables/ListSearch.tsx'
import { ON_HOLD, VOIDED, VOUCHER_STATUSES, type VoucherColumn } from '../../contract/tables/tableColumns.ts'
import { SelectField } from '../../ui/form/SelectField.tsx'
import type { VoucherFilter } from './voucherList.tsx'

type Props = Pick<ListFiltersProps<VoucherColumn, VoucherFilter>, 'list' | 'state' | 'onState' | 'tools'>

const STATUSES = [ON_HOLD, ...VOUCHER_STATUSES, VOIDED].map((status) => ({ value: status, label: status }))

export function VoucherFilters(props: Props) {
  const { state, onState } = props
  const { type } = useUser()
  const filter = (name: VoucherFilter) => ({
    value: state.filter[name] ?? '',
    onChange: (value: string) => onState({ filter: { ...state.filter, [name]: value }, page: 1 }),
  })
  return (
    <ListFilters {...props} views="voucher">
      <ListSearch
        label="Serial number"
        placeholder="13 digits, or scan"
        inputMode="numeric"
        maxLength={20}
        q={state.q}
        read={withoutSpaces}
        onSearch={(q) => onState({ q, page: 1 }, true)}
      />
      <DenominationField {...filter('denomination')} />
      <SelectField label="Status" options={[{ value: '', label: 'All' }, ...STATUSES]} {...filter('status')} />
      {/* A branch sees its own vouchers only. */}
      {type !== 'Branch Merchant' && <BranchField {...filter('branch')} />}
      <DaysFilter
        label="Date used"
        from={['used_from', 'Used from']}
        to={['used_to', 'Used to']}
        filter={state.filter}
        onFilter={(filter) => onState({ filter, page: 1 })}
      />
      {/* Most merchants have none: a view of the list leads there, and a till that was revoked. */}
      {state.filter.late && (
        <SelectField label="Uploaded" options={lateOptions(state.filter.late)} {...filter('late')} />
      )}
    </ListFilters>
  )
}

const LATE_OPTIONS = [
  { value: '', label: 'All' },
  { value: 'all', label: 'After revocation' },
  { value: 'to review', label: 'After revocation, to review' },
]

/** The link of one till stays a choice of its own. */
const lateOptions = (asked: string) =>
  LATE_OPTIONS.some(({ value }) => value === asked)
    ? LATE_OPTIONS
    : [...LATE_OPTIONS, { value: asked, label: 'After revocation, one till' }]

/** Under the barcode a serial is printed with spaces. */
const withoutSpaces = (typed: string) => typed.replaceAll(/\s/g, '')
