import { LIMITS } from '../../../../src/contract/limits.ts'
import type { HoldEnding } from '../../../../src/contract/redemptions/hold.ts'

/** What was asked about one voucher, and the words of the answer, if anybody heard one. */
interface VoucherCall {
  ask: 'verify' | 'redeem' | 'cancel' | 'ask' | 'void' | 'release' | 'deactivate'
  /** The id of the hold; of a release and a deactivation, that of whatever hold there is. */
  hold?: string
  /** Of a verify `200` or the code of the refusal, with how a hold has ended; of what a till tells, what its hold is then. */
  answer?: string
  /** When it was asked, and when it was answered. */
  askedAt: number
  answeredAt: number
}

/** `from`, `to`: between which moments it was held or recorded. */
interface Held {
  is: 'held' | HoldEnding
  from: number
  to: number
}

export type VoucherState = Readonly<Record<string, Held>>

/** Rule 9.9: what the server may answer about a voucher to calls that come one after the other. */
export const voucherModel = (expiresAt = Number.POSITIVE_INFINITY) => ({
  /** The states that the call may lead to; none where its answer cannot be. Without an answer: what it does if it arrives. */
  step: (state: VoucherState, call: VoucherCall): readonly VoucherState[] => {
    const results = possible(state, call, expiresAt)
    if (call.answer === undefined) return results.map(([, next]) => next)
    // Who may not ask, or not now, or voids another's, has changed nothing.
    if (!ABOUT_VOUCHER.has(call.answer.split(' ')[0]!)) return [state]
    return results.filter(([answer]) => answer === call.answer).map(([, next]) => next)
  },
})

const ABOUT_VOUCHER = new Set([
  '200',
  'HOLD_ENDED',
  'IDEMPOTENCY_KEY_REUSED',
  'VOUCHER_ALREADY_USED',
  'VOUCHER_EXPIRED',
  'VOUCHER_HELD',
  'held',
  'redeemed',
  'voided',
  'ended',
  'unknown',
])

/** As a till is told what its hold is. */
function stateOf(own: Held | undefined): string {
  if (!own) return 'unknown'
  return ['held', 'redeemed', 'voided'].includes(own.is) ? own.is : `ended ${own.is}`
}

type Result = [answer: string, next: VoucherState]

const HOLD_MS = LIMITS.holdHours * 3_600_000
const VOID_MS = LIMITS.voidMinutes * 60_000

function possible(state: VoucherState, call: VoucherCall, expiresAt: number): Result[] {
  const { ask, hold = '', askedAt: from, answeredAt: to } = call
  const own = state[hold]
  const become = (is: Held['is'], of = hold): VoucherState => ({ ...state, [of]: { is, from, to } })
  const inForce = Object.entries(state).find(([, { is }]) => is === 'held' || is === 'redeemed')
  switch (ask) {
    case 'verify':
      if (own) return [[own.is === 'held' ? '200' : `HOLD_ENDED ${own.is}`, state]]
      return verified(state, inForce, call, expiresAt)
    case 'redeem':
      return own?.is === 'held' ? [['redeemed', become('redeemed')]] : [[stateOf(own), state]]
    case 'cancel':
      if (own && own.is !== 'held') return [[stateOf(own), state]]
      return [['ended cancelled', become('cancelled')]]
    case 'ask':
      return [[stateOf(own), state]]
    case 'void':
      if (own?.is !== 'redeemed') return [[stateOf(own), state]]
      return [
        ...(from <= own.to + VOID_MS ? [['voided', become('voided')] as Result] : []),
        ...(to > own.from + VOID_MS ? [['redeemed', state] as Result] : []),
      ]
    default:
      if (inForce?.[1].is !== 'held') return []
      return [['200', become(ask === 'release' ? 'released by merchant' : 'deactivated', inForce[0])]]
  }
}

function verified(
  state: VoucherState,
  inForce: [string, Held] | undefined,
  { hold = '', askedAt: from, answeredAt: to }: VoucherCall,
  expiresAt: number,
): Result[] {
  if (inForce?.[1].is === 'redeemed') return [['VOUCHER_ALREADY_USED', state]]
  const results: Result[] = to >= expiresAt ? [['VOUCHER_EXPIRED', state]] : []
  if (from >= expiresAt) return results
  const held = { ...state, [hold]: { is: 'held' as const, from, to } }
  if (!inForce) return [...results, ['200', held]]
  const [other, { from: since, to: sinceAtLast }] = inForce
  if (from < sinceAtLast + HOLD_MS) results.push(['VOUCHER_HELD', state])
  if (to >= since + HOLD_MS) results.push(['200', { ...held, [other]: { is: 'taken over', from, to } }])
  return results
}
