import type { Drawing } from '../../../ui/Icon.tsx'
import type { TicketState } from './Ticket.tsx'

/** Colour, icon, word, sound and what to say: no single one of them has to carry the verdict (rule 9.16). */
export interface Verdict {
  tone: 'accepted' | 'held' | 'risk' | 'refused' | 'on hold' | 'unknown' | 'checking'
  icon: Drawing
  word: string
  /** Said in its place by a screen reader, where the word follows the connection: it says a verdict once. */
  spoken?: string
  say: string
  /** A voice says this, where it does not say the word. */
  aloud?: string
  ticket: {
    state: TicketState
    /** The amount, or words where none is known. */
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
