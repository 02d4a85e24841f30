import { ApiError } from '../../api/ApiError.ts'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import type { Voucher, VoucherRow } from '../../contract/vouchers.ts'
import type { CachedRead } from '../../offline/reads/useCachedRead.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { VoucherFacts } from './VoucherFacts.tsx'
import { VoucherHistory } from './VoucherHistory.tsx'

interface Props {
  read: CachedRead<Voucher>
  row: VoucherRow | undefined
}

/** What is known of a voucher: all of it in my scope, else no more than the table says (DESIGN §2). */
export function VoucherDetail({ read, row }: Props) {
  if (read.error instanceof ApiError && read.error.code === 'NOT_FOUND') return <Elsewhere row={row} />
  if (read.data === undefined && row) {
    return (
      <>
        <VoucherFacts voucher={row} />
        <RecordRead read={read} what="Its history">
          {() => null}
        </RecordRead>
      </>
    )
  }
  return (
    <RecordRead read={read} what="This voucher">
      {(voucher) => (
        <>
          <VoucherFacts voucher={voucher} />
          <VoucherHistory events={voucher.history} />
        </>
      )}
    </RecordRead>
  )
}

function Elsewhere({ row }: Pick<Props, 'row'>) {
  if (!row) {
    const text = 'None of your branches has redeemed it. Look it up by its full serial number.'
    return <EmptyState icon="search" title="No such voucher here" text={text} />
  }
  return (
    <>
      <VoucherFacts voucher={row} />
      <p className="muted">None of your branches has redeemed it: more than this is not shown.</p>
    </>
  )
}
