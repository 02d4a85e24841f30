import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { connectivityTitle } from '../../blocks/connectivity/connectivityTitle.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { dialogs, type Confirmation } from '../../state/dialogs.ts'
import { shell } from '../../state/shell.ts'
import { closeToast, toasts } from '../../state/toasts.ts'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog.tsx'
import { ToastList } from '../../ui/overlay/ToastList.tsx'

/** Shows toasts and dialogs on every screen of every layout (rule 16.6). */
export function Overlays() {
  const { items } = useSnapshot(toasts)
  const { open } = useSnapshot(dialogs)
  const { pageTitle } = useSnapshot(shell)
  return (
    <>
      {/* Tells screen readers about a new page, because they do not announce a page change inside an app. */}
      <div className="sr-only" role="status">
        {pageTitle}
      </div>
      <ConnectivityAnnouncer />
      <ToastList toasts={items} onClose={closeToast} />
      {open && (
        <ConfirmDialog
          key={open.key}
          open
          title={open.confirmation.title}
          act={open.confirmation.act}
          secondary={open.confirmation.secondary}
          dismiss={open.confirmation.dismiss}
          destructive={open.confirmation.destructive}
          approving={open.confirmation.approving}
          consequence={<Consequence consequence={open.confirmation.consequence} items={open.confirmation.items} />}
          onAnswer={open.answer}
        />
      )}
    </>
  )
}

function Consequence({ consequence, items }: Pick<Confirmation, 'consequence' | 'items'>) {
  return (
    <>
      <p>{consequence}</p>
      {items && (
        <ul>
          {items.map(({ id, text }) => (
            <li key={id}>{text}</li>
          ))}
        </ul>
      )}
    </>
  )
}

/** If the connection is lost and returns within this time, nothing is announced (rule 15.4, offline 33). */
const CONNECTIVITY_SETTLES_MS = 1_500

/** Announces each change of the connection once, on every screen. The first announcement is that the connection is bad. */
function ConnectivityAnnouncer() {
  const { verdict, captive } = useSnapshot(connectivity)
  const title = verdict === 'online' ? 'Back online' : connectivityTitle({ verdict, captive })
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(
      () => setAnnounced((before) => (before === '' && verdict === 'online' ? '' : `${title}.`)),
      CONNECTIVITY_SETTLES_MS,
    )
    return () => clearTimeout(timer)
  }, [title, verdict])
  return (
    <div className="sr-only" role="status" data-connectivity={verdict}>
      {announced}
    </div>
  )
}
