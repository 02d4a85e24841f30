import type { Contact } from '../../domain/connectivity.ts'

// Apart from what makes it, which is loaded after the first screen.

let prepared: string | undefined
let isSent = false

/** Whatever leaves this device from now on takes it along, until our server has answered. */
export function prepareReport(signed: string): void {
  prepared = signed
  isSent = false
}

/** A call leaves now. */
export function reportToSend(): string | undefined {
  isSent = true
  return prepared
}

/** The answer may be that of a call which left earlier: then this report is lost, and the next one comes within a minute. */
export function reportHeard(contact: Contact): void {
  if (isSent && contact === 'ours') prepared = undefined
}
