import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { pluralize } from '../../domain/quantities.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { savePasswords } from './importFiles.ts'
import type { ImportJob, ImportState } from './ImportJob.ts'
import type { ImportKind } from './ImportKind.ts'
import type { ImportCounts } from './judgeRows.ts'

interface Props {
  kind: ImportKind
  desk: ImportJob
  state: ImportState
  counts: ImportCounts
}

/** What came of it, as soon as something did: what was created, and the passwords to be saved. */
export function ImportResult({ kind, desk, state, counts }: Props) {
  if (state.run) return null
  return (
    <>
      {counts.created > 0 && counts.ready + counts.sent === 0 && (
        <Notice
          tone="success"
          icon="ok"
          title={`${pluralize(counts.created, kind.noun.one, kind.noun.many)} created`}
          role="status"
        >
          {!kind.givesPasswords && <p>Their logins are invited by email, a few each second.</p>}
        </Notice>
      )}
      {kind.givesPasswords && counts.created > 0 && <Passwords {...{ kind, desk, state, counts }} />}
    </>
  )
}

function Passwords({ kind, desk, state, counts }: Props) {
  const offline = useOffline()
  const { passwords, passwordsSaved } = state
  const here = [...passwords.values()].filter((password) => password !== null).length
  if (here === 0 && passwords.size >= counts.created) return null
  if (passwords.size < counts.created) {
    return (
      <Notice
        tone="warn"
        title={`The passwords of ${pluralize(counts.created - passwords.size, kind.noun.one, kind.noun.many)} are not here any more`}
      >
        <p>They were given once, before this page was closed. Whoever has logged in already keeps theirs.</p>
        <div className="acts">
          <Button aria-disabled={offline || undefined} onClick={() => void desk.renewPasswords()}>
            Make new passwords
          </Button>
        </div>
      </Notice>
    )
  }
  const save = async () => {
    await savePasswords(kind, state.judged, passwords)
    desk.savedPasswords()
  }
  return (
    <Notice
      tone={passwordsSaved ? 'info' : 'warn'}
      title={passwordsSaved ? 'Passwords saved' : `Save the ${pluralize(here, 'temporary password')} now`}
    >
      <p>They are nowhere but on this page. Each cashier logs in with theirs once, and then chooses a password.</p>
      <div className="acts">
        <Button variant={passwordsSaved ? 'plain' : 'primary'} onClick={() => void save()}>
          {passwordsSaved ? 'Save again' : 'Save passwords'}
        </Button>
      </div>
    </Notice>
  )
}
