import type { ReactNode } from 'react'
import { formatSerial } from '../../../domain/vouchers.ts'

/**
 * The drawing of a voucher. `attached`: good, not redeemed. `torn`: redeemed, and the stub is the receipt. `torn-hollow`:
 * redeemed, no receipt yet. `torn-unsure`: taken off the bill without a check. `absent`: no value left. `hollow`: nothing is
 * known, nothing was taken.
 */
export type TicketState = 'attached' | 'torn' | 'torn-hollow' | 'torn-unsure' | 'absent' | 'hollow'

/** The background of a ticket: a page, the colour of a verdict, or the canvas while there is no verdict. */
export type TicketGround = 'page' | 'verdict' | 'canvas'

const CLASSES: Record<TicketState, { ticket: string; body: string; stub: string }> = {
  attached: { ticket: '', body: '', stub: '' },
  torn: { ticket: 'torn gap-4', body: '', stub: '' },
  'torn-hollow': { ticket: 'torn gap-4', body: '', stub: 'hollow' },
  'torn-unsure': { ticket: 'torn gap-4', body: 'hollow', stub: 'hollow' },
  absent: { ticket: 'torn gap-4', body: '', stub: 'absent' },
  hollow: { ticket: '', body: 'hollow', stub: 'hollow' },
}

const BODY = 'body grid min-w-0 flex-1 content-center gap-1 px-6 py-5 phone:p-4'

const STUB =
  'stub grid w-[10rem] flex-none content-center gap-[2px] py-5 pr-4 pl-5 max-wide:w-[8rem] max-wide:pr-3 max-wide:pl-4 max-[21.3125em]:w-[6.5rem] phone:py-4 phone:text-sm'

/** Makes the ticket of a verdict small on a phone, so that the advice stays in view. */
const SMALL = 'small:gap-0 small:py-2'

interface TicketProps {
  state: TicketState
  ground?: TicketGround
  body: ReactNode
  stub: ReactNode
}

/**
 * Draws a voucher. A filled part is confirmed by the server, a hollow part is not certain yet, a dashed part is missing. The stub
 * is torn off only when money has moved.
 */
export function Ticket({ state, ground = 'page', body, stub }: TicketProps) {
  const classes = CLASSES[state]
  const small = ground === 'page' ? '' : SMALL
  return (
    <div className={`ticket flex text-text on-${ground} ${small && 'narrow:max-w-[32rem]'} ${classes.ticket}`}>
      <div className={`${BODY} ${small} ${classes.body}`}>{body}</div>
      <div className={`${STUB} ${small} ${classes.stub}`}>{stub}</div>
    </div>
  )
}

/** A serial in groups, never broken over two lines. */
export const Serial = ({ serial }: { serial: string }) => (
  <span className="font-label whitespace-nowrap" translate="no">
    {formatSerial(serial)}
  </span>
)

/** Small grey text on a ticket. */
export const FinePrint = ({ children }: { children: ReactNode }) => (
  <span className="text-sm leading-[1.7143] text-muted">{children}</span>
)
