import type { VoucherHeld } from '../../../contract/redemptions/counter.ts'
import type { VoucherFacts } from '../../../contract/vouchers.ts'
import { addDays, singaporeDay } from '../../../domain/singaporeTime.ts'
import type { CheckResult, ConfirmResult, NewVoucher, VoidResult } from '../../../offline/redemptions/Till.ts'
import { newHold } from '../../../offline/redemptions/tillHold.ts'
import type { Refusal, TillRow } from '../../../offline/store/till.ts'
import { NOT_A_PRACTICE_VOUCHER } from '../tray/refusedWords.ts'
import type { TrayPorts } from '../tray/Tray.ts'
import { PRACTICE_VOUCHERS, type PracticeVoucher } from './practiceVouchers.ts'

export interface PracticeTill {
  ports: TrayPorts
  voidRedeemed: (id: string) => Promise<VoidResult>
}

/** Makes a till that knows only the practice vouchers. It asks no server and stores nothing. `onRows` gets all its rows after each change. */
export function createPracticeTill(branch: string, onRows: (rows: readonly TillRow[]) => void): PracticeTill {
  let rows: readonly TillRow[] = []
  let receipts = 0
  const storeRow = (changed: TillRow): TillRow => {
    rows = [...rows.filter(({ id }) => id !== changed.id), changed]
    onRows(rows)
    return changed
  }
  const findRow = (id: string) => rows.find((row) => row.id === id)!
  const redeem = (id: string): ConfirmResult => {
    const row = findRow(id)
    if (row.state !== 'held') return { is: 'confirmed', row }
    receipts += 1
    return { is: 'confirmed', row: storeRow(receipted(row, branch, receipts)) }
  }
  const till: Awaited<ReturnType<TrayPorts['till']>> = {
    verify: async (voucher) => {
      const paper = PRACTICE_VOUCHERS.find(({ serial }) => serial === voucher.serial)
      return paper?.result === 'good' ? { is: 'held', row: storeRow(await heldRow(voucher, paper)) } : refusal(paper)
    },
    confirm: async (ids) => new Map(ids.map((id) => [id, redeem(id)])),
    cancel: async () => undefined,
    mayStillConfirm: () => true,
    takeUp: async () => [],
  }
  const none = async () => ({ is: 'none' }) as const
  return {
    ports: {
      till: async () => till,
      offerAtRisk: none,
      acceptAtRisk: none,
      isDown: () => false,
      openRows: async () => 0,
      untilAnswered: async () => undefined,
      bill: { read: () => undefined, write: () => undefined },
    },
    voidRedeemed: async (id) => {
      storeRow({ ...findRow(id), state: 'voided', settledAt: Date.now() })
      return { is: 'voided' }
    },
  }
}

const DAYS_LEFT = 90

async function heldRow(voucher: NewVoucher, { cents }: PracticeVoucher): Promise<TillRow> {
  const { row } = await newHold(voucher, Date.now())
  return { ...row, state: 'held', denomination_cents: cents, expires_on: daysFromNow(DAYS_LEFT) }
}

function receipted(row: TillRow, branch: string, count: number): TillRow {
  const now = new Date().toISOString()
  const receipt = {
    id: row.id,
    serial: row.serial,
    denomination_cents: row.denomination_cents ?? 0,
    expires_on: row.expires_on ?? '',
    receipt_number: `P-${String(count).padStart(6, '0')}`,
    redeemed_at: now,
    recorded_at: now,
    pos_username: row.owner_name,
    branch_name: branch,
    till: row.till,
  }
  return { ...row, state: 'receipted', confirmedAt: Date.now(), settledAt: Date.now(), receipt }
}

/** The answer for a practice voucher that is not good, in the form of the server's answers. */
function refusal(paper: PracticeVoucher | undefined): CheckResult {
  if (!paper) return refused(NOT_A_PRACTICE_VOUCHER, {})
  if (paper.result === 'silent') return { is: 'no answer', answered: false }
  const facts: VoucherFacts = {
    denomination_cents: paper.cents,
    expires_on: daysFromNow(paper.result === 'VOUCHER_EXPIRED' ? -1 : DAYS_LEFT),
  }
  return refused(paper.result, paper.result === 'VOUCHER_HELD' ? heldElsewhere(facts) : facts)
}

const refused = (code: string, data: Refusal['data']): CheckResult => ({
  is: 'refused',
  refused: { code, message: '', data },
})

/** Names an invented till, so that no cashier walks to a real one. */
function heldElsewhere(facts: VoucherFacts): VoucherHeld {
  const since = Date.now() - 2 * 60_000
  return {
    ...facts,
    till: 'the practice till',
    is_this_till: false,
    since: new Date(since).toISOString(),
    ends: new Date(since + 24 * 3_600_000).toISOString(),
  }
}

const daysFromNow = (days: number) => addDays(singaporeDay(new Date()), days)
