import type { MouseEvent } from 'react'
import type { VoucherRow } from '../../contract/vouchers.ts'
import { formatSerial } from '../../domain/vouchers.ts'

/** How the rows of a table are opened over it. */
export interface VoucherLinks {
  hrefOf: (guid: string) => string
  onOpen: (guid: string) => void
}

interface VoucherLinkProps extends VoucherLinks {
  row: Pick<VoucherRow, 'guid' | 'serial'>
}

/**
 * Opens a voucher over the table it stands in. A plain anchor, since a hundred of the router's links would each work out their
 * address again at every change of the page.
 */
export function VoucherLink({ row, hrefOf, onOpen }: VoucherLinkProps) {
  const open = (event: MouseEvent) => {
    // Another tab or window is the browser's to open.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen(row.guid)
  }
  return (
    <a href={hrefOf(row.guid)} onClick={open} className="serial">
      {formatSerial(row.serial)}
    </a>
  )
}
