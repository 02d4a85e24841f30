import { useEffect, useEffectEvent } from 'react'
import { isSignedVoucher } from '../../domain/signedVouchers.ts'
import { serialFromScan } from '../../domain/vouchers.ts'

/** A scanner types faster than any person: at most this long between two keys, and for the whole code (rule 14.12). */
const BETWEEN_KEYS_MS = 100
const WHOLE_CODE_MS = 1_500
/** A signed voucher has 121 characters. */
const WHOLE_SIGNED_CODE_MS = 4_000
const SHORTEST_CODE = 8
/** Some scanners deliver twice. */
const SAME_CODE_AGAIN_MS = 800

/**
 * Listens for a keyboard-wedge scanner anywhere on the screen, ending in Enter or Tab. It never takes focus, and leaves the
 * keys of a person typing in another field alone: only a burst counts. `code` is the whole text of a signed voucher.
 */
export function useWedgeScanner(onScan: (serial: string, code?: string) => void): void {
  const deliver = useEffectEvent(onScan)
  useEffect(() => {
    const burst = new Burst((...scan) => deliver(...scan))
    const stop = new AbortController()
    const listening = { capture: true, signal: stop.signal }
    document.addEventListener('keydown', (event) => burst.key(event), listening)
    document.addEventListener('keyup', (event) => burst.keyUp(event), listening)
    return () => stop.abort()
  }, [])
}

type KeptKey = Pick<KeyboardEvent, 'preventDefault' | 'stopPropagation'>

function keepFromPage(event: KeptKey): void {
  event.preventDefault()
  event.stopPropagation()
}

/** The keys of one possible scan. `now` is the event's own time, so that a busy page does not stretch the gaps. */
export class Burst {
  readonly #deliver: (serial: string, code?: string) => void
  #keys = ''
  #startedAt = 0
  #lastAt = 0
  #delivered = { serial: '', at: -Infinity }

  constructor(deliver: (serial: string, code?: string) => void) {
    this.#deliver = deliver
  }

  key(event: KeptKey & Pick<KeyboardEvent, 'key' | 'timeStamp' | 'ctrlKey'>): void {
    const { key, timeStamp, ctrlKey } = event
    const longest = this.#isSigned ? WHOLE_SIGNED_CODE_MS : WHOLE_CODE_MS
    const late = timeStamp - this.#lastAt > BETWEEN_KEYS_MS || timeStamp - this.#startedAt > longest
    if (late) this.#keys = ''
    if (this.#keys === '') this.#startedAt = timeStamp
    this.#lastAt = timeStamp
    if (key !== 'Enter' && key !== 'Tab') {
      // Shift, control prefixes (STX comes as Ctrl with "b") and the like are not part of a code.
      if (!ctrlKey && /^[\w $%*+\-./:]$/.test(key)) this.#keys += key
      if (this.#isSigned) keepFromPage(event)
      return
    }
    const scanned = this.#keys
    this.#keys = ''
    if (scanned.length < SHORTEST_CODE) return
    // The code's own Enter or Tab must not also submit a form or move the focus.
    keepFromPage(event)
    this.#scan(scanned, timeStamp)
  }

  /** Some browsers press a button when its space bar is let go, whatever became of the key before. */
  keyUp(event: KeptKey): void {
    if (this.#isSigned) keepFromPage(event)
  }

  /** Its spaces would press the button with the focus, and its other signs are keys of the page. */
  get #isSigned(): boolean {
    return isSignedVoucher(this.#keys)
  }

  #scan(scanned: string, at: number) {
    const serial = serialFromScan(scanned)
    const again = serial === this.#delivered.serial && at - this.#delivered.at < SAME_CODE_AGAIN_MS
    this.#delivered = { serial, at }
    if (again) return
    if (isSignedVoucher(scanned)) this.#deliver(serial, scanned)
    else this.#deliver(serial)
  }
}
