import { subscribeKey } from 'valtio/vanilla/utils'
import { isDown, type ConnectivityVerdict } from '../../domain/connectivity.ts'
import { knownSpan, type Moment, type VerdictSpan } from '../../domain/devices/connectionDiary.ts'
import { connectivity } from './connectivity.ts'

const LOOK_EVERY_MS = 30_000

interface Diary {
  /** The clock that days are told by. */
  now: () => number
  note: (span: VerdictSpan) => void
}

/**
 * Writes down how the connection is, from now on: with each new verdict, at every look, and when the page is left. To be called
 * once there is a verdict.
 */
export function keepDiary({ now, note }: Diary): void {
  let begun: (Moment & { verdict: ConnectivityVerdict }) | undefined
  const end = () => {
    const moment = { wall: now(), running: performance.now() }
    const span = begun && knownSpan(begun, moment, begun.verdict)
    if (span) note(span)
    begun = undefined
    return moment
  }
  const look = () => {
    const moment = end()
    if (isWatched()) begun = { ...moment, verdict: connectivity.verdict }
  }
  look()
  subscribeKey(connectivity, 'verdict', look)
  setInterval(look, LOOK_EVERY_MS)
  document.addEventListener('visibilitychange', look)
  addEventListener('pageshow', look)
  addEventListener('pagehide', end)
}

/** A page that nobody sees calls nobody, so that its "online" is only a memory; an outage it goes on asking about. */
const isWatched = () => document.visibilityState === 'visible' || isDown(connectivity.verdict)
