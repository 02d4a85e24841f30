import { useSnapshot } from 'valtio/react'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { pluralize } from '../../domain/quantities.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { savePasswords } from './importFiles.ts'
import type { ImportJob } from './ImportJob.ts'
import type { ImportKind } from './ImportKind.ts'
import type { ImportCounts } from './validateRows.ts'

interface Props {
  kind: ImportKind
  job: ImportJob
  counts: ImportCounts
}

/** How many records were created, and their passwords, which have to be saved. */
export function ImportResult({ kind, job, counts }: Props) {
  const { run } = useSnapshot(job.state)
  if (run) return null
  return (
    <>
      {counts.created > 0 && counts.ready + counts.sent === 0 && (
        <Notice
          tone="success"
          icon={ICONS.ok}
          title={`${pluralize(counts.created, kind.noun.one, kind.noun.many)} created`}
          role="status"
        >
          {!kind.givesPasswords && <p>Their logins are invited by email, a few each second.</p>}
        </Notice>
      )}
      {kind.givesPasswords && counts.created > 0 && <Passwords {...{ kind, job, counts }} />}
    </>
  )
}

function Passwords({ kind, job, counts }: Props) {
  const offline = useOffline()
  const { validated, passwords, passwordsSaved } = useSnapshot(job.state)
  const known = [...passwords.values()].filter((password) => password !== null).length
  if (known === 0 && passwords.size >= counts.created) return null
  if (passwords.size < counts.created) {
    return (
      <Notice
        tone="warn"
        title={`The passwords of ${pluralize(counts.created - passwords.size, kind.noun.one, kind.noun.many)} are not here any more`}
      >
        <p>They were given once, before this page was closed. Whoever has logged in already keeps theirs.</p>
        <Actions className="mt-2">
          <Button aria-disabled={offline || undefined} onClick={() => void job.runs.renewPasswords()}>
            Make new passwords
          </Button>
          <NeedsConnection />
        </Actions>
      </Notice>
    )
  }
  const save = async () => {
    await savePasswords(kind, validated, passwords)
    job.passwordsSaved()
  }
  return (
    <Notice
      tone={passwordsSaved ? 'info' : 'warn'}
      title={passwordsSaved ? 'Passwords saved' : `Save the ${pluralize(known, 'temporary password')} now`}
    >
      <p>They are nowhere but on this page. Each cashier logs in with theirs once, and then chooses a password.</p>
      <Actions className="mt-2">
        <Button variant={passwordsSaved ? 'plain' : 'primary'} onClick={() => void save()}>
          {passwordsSaved ? 'Save again' : 'Save passwords'}
        </Button>
      </Actions>
    </Notice>
  )
}
