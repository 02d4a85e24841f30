import { useCallback, useEffect, useRef, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import type { VerifiedVoucher } from '../../contract/voucher.ts'
import { storeAsking, withRedemption } from '../../offline/page/tillStore.ts'
import type { TillRow } from '../../offline/store/tillDatabase.ts'
import { type CounterState, READY } from './counterState.ts'
import { type Attempt, attempt, giveUp, verifyVoucher } from './redemption.ts'

/** How long the cashier and the customer wait for a lost answer before the screen says what to do (design, Checking…). */
const GIVE_UP_MS = 20_000
const ASK_AGAIN_MS = 2_000

/** The counter's steps: verify → confirm → receipt, and Checking… for a lost answer. One voucher at a time. */
export function useCounter(owner: string) {
  const [state, setState] = useState<CounterState>(READY)
  /** A double tap or a scan during a step must not start a second one: rendering is too late to see it. */
  const busy = useRef(false)

  const alone = useCallback(async (step: () => Promise<CounterState>) => {
    if (busy.current) return
    busy.current = true
    try {
      setState(await step())
    } finally {
      busy.current = false
    }
  }, [])

  const verify = (serial: string) =>
    alone(async () => {
      setState({ at: 'verifying', serial })
      const answer = await verifyVoucher(serial)
      if ('good' in answer) return { at: 'confirm', voucher: answer.good }
      return { at: 'refused', refusal: answer.refused, serial, voucher: answer.voucher }
    })

  const redeem = (voucher: VerifiedVoucher) =>
    alone(async () => {
      const id = uuidv7()
      // The lock comes before the row: whoever sees the row must already see that somebody is waiting for it.
      const outcome = await withRedemption(id, () => storeAndSend(id, owner, voucher, setState))
      return outcome ?? { at: 'confirm', voucher, problem: 'unstored' }
    })

  return { state, verify, redeem, next: () => setState(READY) }
}

/** Stores, then sends; without a stored row nothing leaves the device, for a lost answer could never be asked for. */
async function storeAndSend(
  id: string,
  owner: string,
  voucher: VerifiedVoucher,
  show: (state: CounterState) => void,
): Promise<CounterState> {
  const row = await storeAsking(id, owner, voucher).catch(() => undefined)
  if (!row) return { at: 'confirm', voucher, problem: 'unstored' }
  show({ at: 'checking', row, since: Date.now() })
  return afterAttempt(row)
}

/** Sends until there is a word, or until waiting any longer helps nobody. */
async function afterAttempt(row: TillRow): Promise<CounterState> {
  const deadline = Date.now() + GIVE_UP_MS
  for (;;) {
    const answer = await Promise.race([attempt(row), pause(deadline - Date.now(), 'open' as const)])
    if (answer !== 'open') return settled(row, answer)
    if (Date.now() >= deadline) break
    await pause(Math.min(ASK_AGAIN_MS, deadline - Date.now()))
  }
  const last = await giveUp(row)
  return last === 'open' ? { at: 'not-known', row } : settled(row, last)
}

function settled(row: TillRow, answer: Exclude<Attempt, 'open'>): CounterState {
  if ('receipt' in answer) return { at: 'redeemed', receipt: answer.receipt }
  return { at: 'refused', refusal: answer.refused, serial: row.serial, voucher: row }
}

const pause = <T = void>(ms: number, value?: T) =>
  new Promise<T>((resolve) => setTimeout(() => resolve(value as T), Math.max(ms, 0)))

/** Follows the seconds of a wait, for the stub that counts them. */
export function useSecondsSince(since: number): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - since) / 1000)), 500)
    return () => clearInterval(timer)
  }, [since])
  return seconds
}
