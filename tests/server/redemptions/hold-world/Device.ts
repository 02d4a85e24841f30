import type { Receipt, VerifiedVoucher } from '../../../../src/contract/redemptions/redeem.ts'
import type { Reply } from '../../../support/api/portalClient.ts'
import { newHoldKey } from '../../../support/redemptions/testTill.ts'

/** One voucher as a till has it on disk (rule 9.10). */
export interface Row {
  id: string
  secret: string
  serial: string
  state: 'asking' | 'held' | 'confirmed' | 'cancelling' | 'receipted' | 'voided' | 'gone' | 'attention'
  /** Of the hold, as the server told it. */
  confirmUntil: number
  receipt?: Receipt
  /** A void was sent, heard of or not. */
  voiding?: boolean
}

/** A till that stores before it sends, and believes the answer to the state that it asked from. */
export class Device {
  readonly rows: Row[] = []

  scan(serial: string): Row {
    const row: Row = { ...newHoldKey(), serial, state: 'asking', confirmUntil: 0 }
    this.rows.push(row)
    return row
  }

  /** Takes the voucher, with or without a connection: only what is held in this life of the page, and only within its ten minutes. */
  confirm(row: Row, now: number): boolean {
    if (row.state !== 'held' || now >= row.confirmUntil) return false
    row.state = 'confirmed'
    return true
  }

  cancel(row: Row): boolean {
    if (row.state !== 'asking' && row.state !== 'held') return false
    row.state = 'cancelling'
    return true
  }

  /** What was only in the memory of the page is gone: a hold has to be asked about again before it can be confirmed. */
  crash(): void {
    for (const row of this.rows) if (row.state === 'held') row.state = 'asking'
  }

  hear(row: Row, ask: string, answer: Reply): void {
    const isGood = answer.status === 200
    // No word about the voucher: it is asked again.
    if (answer.status === 401 || answer.status === 429 || answer.status >= 500) return
    if (ask === 'verify' && row.state === 'asking') {
      row.state = isGood ? 'held' : 'gone'
      if (isGood) row.confirmUntil = Date.parse((answer.data as VerifiedVoucher).hold!.confirm_until)
    }
    if (ask === 'redeem' && row.state === 'confirmed') {
      row.state = isGood ? 'receipted' : 'attention'
      if (isGood) row.receipt = answer.data as Receipt
    }
    if (ask === 'cancel' && row.state === 'cancelling') row.state = isGood ? 'gone' : 'attention'
    if (ask === 'void' && row.state === 'receipted' && isGood) row.state = 'voided'
  }
}
