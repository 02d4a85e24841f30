import type { VoucherEvent } from '../../contract/vouchers.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'

/** What happened to it in my scope, oldest first. What was voided shows both. */
export function VoucherHistory({ events }: { events: readonly VoucherEvent[] }) {
  return (
    <section className="panel">
      <header>
        <h3>History</h3>
      </header>
      <ol className="events">
        {events.map((event) => (
          <li key={`${event.event} ${event.receipt_number}`}>
            <b className="strong">{event.event}</b>
            <time dateTime={event.at}>{formatInstant(new Date(event.at))}</time>
            <span>
              Receipt {event.receipt_number}, {event.branch_name}, {event.pos_username}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
