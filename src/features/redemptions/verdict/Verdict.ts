import type { TicketState } from './Ticket.tsx'
import type { Tone } from './tones.tsx'

/** What is said of vouchers that were taken. Colour, icon, word, sound and what to say: no single one of them has to carry the verdict (rule 9.16). */
export interface Verdict {
  tone: Tone
  word: string
  /** Said in its place by a screen reader, where the word follows the connection: it says a verdict once. */
  spoken?: string
  say: string
  /** What the voucher is worth, or all of them. */
  cents: number
  ticket: {
    state: TicketState
    worth: string
    serial: string
    note?: string
    stub: [string, string] | [string, string, string]
  }
  happened: string
  tell: string
  /** To do with a voucher on paper; no till can know whether it was one. */
  paper?: string
  todo: string
}
