import type { ReactNode } from 'react'

/**
 * attached: good, not redeemed. torn: redeemed, the stub is the receipt. torn-hollow: redeemed, receipt not here yet.
 * absent: redeemed before, no value left. hollow: nothing known, nothing taken.
 */
export type TicketState = 'attached' | 'torn' | 'torn-hollow' | 'absent' | 'hollow'

const CLASSES: Record<TicketState, { ticket: string; body: string; stub: string }> = {
  attached: { ticket: 'ticket', body: 'body', stub: 'stub' },
  torn: { ticket: 'ticket torn', body: 'body', stub: 'stub' },
  'torn-hollow': { ticket: 'ticket torn', body: 'body', stub: 'stub hollow' },
  absent: { ticket: 'ticket torn', body: 'body', stub: 'stub absent' },
  hollow: { ticket: 'ticket', body: 'body hollow', stub: 'stub hollow' },
}

/** Filled: the server said so. Hollow: not certain yet. Dashed: not there. The stub comes off only when money has moved. */
export function Ticket({ state, body, stub }: { state: TicketState; body: ReactNode; stub: ReactNode }) {
  const classes = CLASSES[state]
  return (
    <div className={classes.ticket}>
      <div className={classes.body}>{body}</div>
      <div className={classes.stub}>{stub}</div>
    </div>
  )
}
