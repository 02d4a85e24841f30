import { useEffect, useEffectEvent } from 'react'
import { serialFromScan } from '../../domain/vouchers.ts'

/** A scanner types faster than any person: at most this long between two keys, and for the whole code (rule 14.12). */
const BETWEEN_KEYS_MS = 100
const WHOLE_CODE_MS = 1_500
const SHORTEST_CODE = 8
/** Some scanners deliver twice. */
const SAME_CODE_AGAIN_MS = 800

/**
 * Listens for a keyboard-wedge scanner anywhere on the screen, ending in Enter or Tab. It never takes focus, and leaves the
 * keys of a person typing in another field alone: only a burst counts.
 */
export function useWedgeScanner(onScan: (serial: string) => void): void {
  const deliver = useEffectEvent(onScan)
  useEffect(() => {
    const burst = new Burst((serial) => deliver(serial))
    const listen = (event: KeyboardEvent) => burst.key(event)
    document.addEventListener('keydown', listen, { capture: true })
    return () => document.removeEventListener('keydown', listen, { capture: true })
  }, [])
}

/** The keys of one possible scan. `now` is the event's own time, so that a busy page does not stretch the gaps. */
export class Burst {
  readonly #deliver: (serial: string) => void
  #keys = ''
  #startedAt = 0
  #lastAt = 0
  #delivered = { serial: '', at: -Infinity }

  constructor(deliver: (serial: string) => void) {
    this.#deliver = deliver
  }

  key(event: Pick<KeyboardEvent, 'key' | 'timeStamp' | 'ctrlKey' | 'preventDefault' | 'stopPropagation'>): void {
    const { key, timeStamp, ctrlKey } = event
    const late = timeStamp - this.#lastAt > BETWEEN_KEYS_MS || timeStamp - this.#startedAt > WHOLE_CODE_MS
    if (late) this.#keys = ''
    if (this.#keys === '') this.#startedAt = timeStamp
    this.#lastAt = timeStamp
    if (key !== 'Enter' && key !== 'Tab') {
      // Shift, control prefixes (STX comes as Ctrl with "b") and the like are not part of a code.
      if (!ctrlKey && /^[\w.]$/.test(key)) this.#keys += key
      return
    }
    const scanned = this.#keys
    this.#keys = ''
    if (scanned.length < SHORTEST_CODE) return
    // The code's own Enter or Tab must not also submit a form or move the focus.
    event.preventDefault()
    event.stopPropagation()
    this.#scan(serialFromScan(scanned), timeStamp)
  }

  #scan(serial: string, at: number) {
    const again = serial === this.#delivered.serial && at - this.#delivered.at < SAME_CODE_AGAIN_MS
    this.#delivered = { serial, at }
    if (!again) this.#deliver(serial)
  }
}
