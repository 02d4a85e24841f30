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
    </ListFilters>
  )
}

/** Under the barcode a serial is printed with spaces. */
const withoutSpaces = (typed: string) => typed.replaceAll(/\s/g, '')
