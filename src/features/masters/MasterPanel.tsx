import { Link } from '@tanstack/react-router'
import type { Master } from '../../contract/masters.ts'
import { formatDay, formatInstant } from '../../domain/singaporeTime.ts'
import { Facts } from '../../ui/Facts.tsx'

/** What is known of a master beside what can be edited. */
export function MasterPanel({ master }: { master: Master }) {
  const { last_sign_in_at, invited_at, created_at, managed } = master
  const manages = managed.length === 0 ? 'No branch' : <ManagedBranches branches={managed} />
  return (
    <section className="panel" aria-labelledby="master-facts">
      <header>
        <h2 id="master-facts">Account</h2>
      </header>
      <Facts
        facts={[
          ['Last login', last_sign_in_at ? formatInstant(new Date(last_sign_in_at)) : 'Never'],
          ...(invited_at ? [['Activation email', `Sent ${formatInstant(new Date(invited_at))}`] as const] : []),
          ['Created', formatDay(new Date(created_at))],
          ['Manages', manages],
        ]}
      />
    </section>
  )
}

const ManagedBranches = ({ branches }: { branches: Master['managed'] }) => (
  <ul>
    {branches.map(({ guid, name }) => (
      <li key={guid}>
        <Link to="/branches/$type/$id" params={{ type: guid, id: 'view' }}>
          {name}
        </Link>
      </li>
    ))}
  </ul>
)
