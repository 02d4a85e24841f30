import { useCallback, useEffect, useEffectEvent, useRef, useState, type Dispatch, type SetStateAction } from 'react'
import { isDown } from '../../domain/connectivity.ts'
import { scanProblem } from '../../domain/vouchers.ts'
import { acceptAtRisk, afterSilence } from '../../offline/allowance/afterSilence.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { thisTill } from '../../offline/redemptions/openTill.ts'
import type { Asked, NewVoucher } from '../../offline/redemptions/Till.ts'
import type { Refusal, TillRow } from '../../offline/store/till.ts'
import { addRedeemed, addRefused, closeBill } from '../../state/counter.ts'
import { limitReached, READY, scanOf, type CounterState, type Scan } from './counterState.ts'
import { closeSteps, forgetRefusals } from './refuseScan.ts'
import { refusedVerdict } from './verdict/refusedVerdict.ts'

export type Cashier = Pick<NewVoucher, 'owner' | 'owner_name' | 'till'> & { branch: string }

/** A refusal that is about the PIN, not about the voucher: the cashier types it again. */
const PIN_CODES = ['PIN_REQUIRED', 'PIN_WRONG']

const HOLD_CHECK_MS = 1_000

/** The counter's steps: verify → confirm → redeemed, and a state for everything that can come between. One voucher at a time. */
export function useCounter(cashier: Cashier, needsPin: boolean) {
  const [state, setState] = useState<CounterState>(READY)
  /** A double tap or a scan during a step must not start a second step. A ref, because the next rendering would be too late. */
  const busy = useRef(false)

  const oneAtATime = useCallback(async (step: () => Promise<CounterState>) => {
    if (busy.current) return
    busy.current = true
    try {
      setState(await step())
    } finally {
      busy.current = false
    }
  }, [])

  const silence = (scan: Scan) => {
    const { branch, ...who } = cashier
    return afterSilence({ ...who, ...scan }, branch, needsPin)
  }

  const verify = (scanned: string, pin?: string) =>
    oneAtATime(async () => {
      forgetRefusals()
      const why = scanProblem(scanned)
      if (why) return { at: 'unread', scanned, why, since: Date.now() }
      const scan = scanOf(scanned)
      const full = await limitReached().catch(() => undefined)
      if (full) return { at: 'full', ...scan, full, since: Date.now() }
      if (needsPin && pin === undefined) return { at: 'pin', ...scan }
      setState({ at: 'verifying', ...scan, since: Date.now() })
      const asked = await (await thisTill()).ask({ ...cashier, ...scan, ...(pin ? { pin } : {}) })
      return nothingAnswered(asked) ? inSilence(scan, await silence(scan)) : stateAfterVerify(scan, asked)
    })

  const redeem = (row: TillRow) =>
    oneAtATime(async () => {
      const confirmed = (await (await thisTill()).confirm([row.id])).get(row.id)!
      if (confirmed.is === 'unstored') return { at: 'confirm', row, problem: 'unstored' }
      if (confirmed.is === 'known') return { at: 'known', row: confirmed.row, since: Date.now() }
      if (confirmed.is === 'over') return { at: 'not-checked', ...scanOf(row.code ?? row.serial), why: 'over' }
      addRedeemed(row.id)
      return { at: 'redeemed', id: row.id, since: Date.now() }
    })

  /** An offer may lie there for a while. Where there is a connection by now, the voucher is checked with the server after all. */
  const accept = ({ offer }: Offered) =>
    oneAtATime(async () => {
      const scan = scanOf(offer.code)
      if (isDown(connectivity.verdict)) return inSilence(scan, await acceptAtRisk(offer))
      setState({ at: 'verifying', ...scan, since: Date.now() })
      const asked = await (await thisTill()).ask({ ...cashier, ...scan })
      if (!nothingAnswered(asked)) return stateAfterVerify(scan, asked)
      const again = await silence(scan)
      return inSilence(scan, again.is === 'offer' ? await acceptAtRisk(again.offer) : again)
    })

  const cancel = (row: TillRow) =>
    oneAtATime(async () => {
      await (await thisTill()).cancel(row.id)
      return READY
    })

  /** Not in the middle of a step: the voucher in hand belongs to the open bill. A bill without a voucher has no summary. */
  const finishBill = () => {
    if (busy.current) return
    const finished = closeBill()
    if (finished.taken.length + finished.refused.length === 0) return
    setState({ at: 'bill', bill: finished, since: Date.now() })
  }

  const takeUp = useEffectEvent((rows: readonly TillRow[]) => {
    const last = state.at === 'ready' && !busy.current ? rows.at(-1) : undefined
    if (last) setState({ at: 'confirm', row: last })
    for (const row of rows) if (row !== last) void thisTill().then((till) => till.cancel(row.id))
  })
  useEffect(() => {
    let isLeft = false
    const show = (rows: readonly TillRow[]) => !isLeft && takeUp(rows)
    thisTill()
      .then((till) => till.takeUp(cashier.owner))
      .then(show, () => undefined)
    return () => void (isLeft = true)
  }, [cashier.owner])
  useHoldExpiry(state, setState)
  useToastsEnd(state)
  const isBusy = () => busy.current
  return { state, isBusy, verify, redeem, accept, cancel, finishBill, next: () => setState(READY) }
}

type Offered = Extract<Awaited<ReturnType<typeof afterSilence>>, { is: 'offer' }>

function inSilence(scan: Scan, silence: Awaited<ReturnType<typeof acceptAtRisk>>): CounterState {
  if (silence.is === 'none') return { at: 'not-checked', ...scan, why: 'connectivity' }
  if (silence.is !== 'accepted') return { at: 'silence', ...scan, silence }
  addRedeemed(silence.row.id)
  return { at: 'redeemed', id: silence.row.id, since: Date.now() }
}

/** Only then may a voucher be accepted without a check: a server that answers could have been asked about the voucher. */
const nothingAnswered = (asked: Asked): boolean => asked.is === 'line' && !asked.answered

function stateAfterVerify(scan: Scan, asked: Asked): CounterState {
  const { serial } = scan
  switch (asked.is) {
    case 'held':
      return { at: 'confirm', row: asked.row }
    case 'known':
      return { at: 'known', row: asked.row, since: Date.now() }
    case 'unstored':
      return { at: 'not-checked', ...scan, why: 'unstored' }
    case 'line':
      return { at: 'not-checked', ...scan, why: asked.answered ? 'answered' : 'connectivity' }
    case 'refused':
      return PIN_CODES.includes(asked.refused.code)
        ? { at: 'pin', ...scan, problem: asked.refused }
        : refusedState(serial, asked.refused)
  }
}

function refusedState(serial: string, refused: Refusal): CounterState {
  addRefused(serial, refusedVerdict(refused, serial).word)
  return { at: 'refused', serial, refused }
}

/** What was said of one voucher must not stand beside the next. */
function useToastsEnd(state: CounterState) {
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== state) closeSteps()
    before.current = state
  }, [state])
}

/** If nobody decides within ten minutes, the hold is cancelled and the screen says so. */
function useHoldExpiry(state: CounterState, setState: Dispatch<SetStateAction<CounterState>>) {
  const row = state.at === 'confirm' ? state.row : undefined
  useEffect(() => {
    if (!row) return undefined
    const check = async () => {
      const till = await thisTill()
      if (till.mayStillConfirm(row.id)) return
      // It may have been taken in this very moment: then the counter is on its way to say so.
      setState((now) =>
        now.at === 'confirm' && now.row.id === row.id
          ? { at: 'not-checked', ...scanOf(row.code ?? row.serial), why: 'over' }
          : now,
      )
      await till.cancel(row.id)
    }
    const timer = setInterval(() => void check(), HOLD_CHECK_MS)
    return () => clearInterval(timer)
  }, [row, setState])
}

/** Whole seconds since `start`, ticking; 0 while nothing has started. */
export function useSecondsSince(start: number | undefined): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    setSeconds(0)
    if (start === undefined) return undefined
    const tick = () => setSeconds(Math.floor((Date.now() - start) / 1000))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [start])
  return seconds
}
