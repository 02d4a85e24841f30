import { useRef } from 'react'
import { formatSerial } from '../../domain/serialNumber.ts'
import type { VoucherRow } from '../../contract/voucher.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { copySerial } from './voucherMenu.ts'
import { useVoucher } from './useVoucher.ts'
import { VoucherDetail } from './VoucherDetail.tsx'

interface Props {
  id: string
  /** What the table behind knows of it; nothing if a link opened it. */
  row: VoucherRow | undefined
  onClose: () => void
}

/** One voucher over the table it was opened from. */
export function VoucherDialog({ id, row, onClose }: Props) {
  const read = useVoucher(id)
  const way = useRef<HTMLButtonElement>(null)
  const serial = read.data?.serial ?? row?.serial
  return (
    <Dialog
      open
      holdsForm
      title={serial ? formatSerial(serial) : 'Voucher'}
      onClose={onClose}
      initialFocus={way}
      actions={
        <>
          {serial && <Button onClick={() => void copySerial(serial)}>Copy serial number</Button>}
          <Button ref={way} onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className="stack">
        <VoucherDetail {...{ read, row }} />
      </div>
    </Dialog>
  )
}
