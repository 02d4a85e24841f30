import { DenominationField } from '../../blocks/DenominationField.tsx'
import { ListFilters } from '../../blocks/list/ListFilters.tsx'
import { ListSearch } from '../../blocks/list/ListSearch.tsx'
import type { ChangeState } from '../../blocks/list/RecordList.ts'
import type { VoucherColumn } from '../../contract/voucher.ts'
import type { VoucherFilter } from './voucherList.ts'
import type { VoucherTableState } from './VouchersPage.tsx'

interface Props {
  state: VoucherTableState
  onState: ChangeState<VoucherColumn, VoucherFilter>
}

/** As printed under the barcode a serial has spaces. */
const withoutSpaces = (typed: string) => typed.replaceAll(/\s/g, '')

export function VoucherFilters({ state, onState }: Props) {
  return (
    <ListFilters state={state} onState={onState}>
      <ListSearch
        label="Serial number"
        placeholder="13 digits, or scan"
        inputMode="numeric"
        maxLength={20}
        q={state.q}
        read={withoutSpaces}
        onSearch={(q) => onState({ q, page: 1 }, true)}
      />
      <div className="min-w-36">
        <DenominationField
          value={state.filter.denomination ?? ''}
          onChange={(denomination) => onState({ filter: { ...state.filter, denomination }, page: 1 })}
        />
      </div>
    </ListFilters>
  )
}
