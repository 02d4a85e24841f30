import { useUser } from '../../blocks/accounts/useUser.ts'
import { BranchField, DenominationField } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { ListFilters } from '../../blocks/tables/ListFilters.tsx'
import { ListSearch } from '../../blocks/tables/ListSearch.tsx'
import type { ChangeTableState } from '../../blocks/tables/RecordList.ts'
import { ON_HOLD, VOUCHER_STATUSES, type VoucherColumn } from '../../contract/tables/tableColumns.ts'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { DateField } from '../../ui/form/TextFieldVariants.tsx'
import type { VoucherFilter, VoucherTableState } from './voucherList.tsx'

interface Props {
  state: VoucherTableState
  onState: ChangeTableState<VoucherColumn, VoucherFilter>
}

/** As printed under the barcode a serial has spaces. */
const withoutSpaces = (typed: string) => typed.replaceAll(/\s/g, '')

const STATUSES = [ON_HOLD, ...VOUCHER_STATUSES].map((status) => ({ value: status, label: status }))

export function VoucherFilters({ state, onState }: Props) {
  const { type } = useUser()
  const filter = (name: VoucherFilter) => ({
    value: state.filter[name] ?? '',
    onChange: (value: string) => onState({ filter: { ...state.filter, [name]: value }, page: 1 }),
  })
  return (
    <ListFilters state={state} onState={onState} views="voucher">
      <ListSearch
        label="Serial number"
        placeholder="13 digits, or scan"
        inputMode="numeric"
        maxLength={20}
        q={state.q}
        read={withoutSpaces}
        onSearch={(q) => onState({ q, page: 1 }, true)}
      />
      <DenominationField className="min-w-36" {...filter('denomination')} />
      <SelectField
        className="min-w-36"
        label="Status"
        options={[{ value: '', label: 'All' }, ...STATUSES]}
        {...filter('status')}
      />
      {/* A branch sees its own vouchers only. */}
      {type !== 'Branch Merchant' && <BranchField className="min-w-44" {...filter('branch')} />}
      <div className="days">
        <DateField label="Used from" {...filter('used_from')} />
        <DateField label="Used to" {...filter('used_to')} {...orderError(state.filter)} />
      </div>
    </ListFilters>
  )
}

/** Both days are Singapore's and included. */
export const areDaysReversed = ({ used_from = '', used_to = '' }: VoucherTableState['filter']): boolean =>
  used_from !== '' && used_to !== '' && used_to < used_from

const orderError = (filter: VoucherTableState['filter']) =>
  areDaysReversed(filter) ? { error: 'must not be before Used from' } : {}
