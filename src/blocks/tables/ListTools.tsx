import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Endpoint, FileOf } from '../../contract/endpoint.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { NeedsConnection } from '../connectivity/OnlineLink.tsx'
import { useOffline } from '../connectivity/useOffline.ts'
import { saveFromServer } from '../downloads/saveFile.ts'

interface ExportButtonProps {
  endpoint: Endpoint & { answer: FileOf }
  /** The table's own query: the file has exactly the same rows. */
  query: object
  /** True if the list has no row. */
  nothing: boolean
}

/** Exports the whole filtered list as a file. */
export function ExportButton({ endpoint, query, nothing }: ExportButtonProps) {
  const offline = useOffline()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await saveFromServer(endpoint, { body: { ...query, start: 0 } }, 'The list was not exported.')
    setBusy(false)
  }
  return (
    <>
      <NeedsConnection otherReason={nothing && 'Nothing to export.'} />
      <Button
        icon={ICONS.download}
        busy={busy}
        aria-disabled={offline || nothing || undefined}
        onClick={() => void run()}
      >
        Export CSV
      </Button>
      <span className="sr-only" role="status">
        {busy && 'Exporting'}
      </span>
    </>
  )
}

/** True if this device knows that the list is empty. A list that was not read yet may have rows. */
export const hasNoRow = (read: { data?: { total: number } | undefined }): boolean => read.data?.total === 0

/** Links to the import of a file. The file is read offline too, so the link is always enabled. */
export const ImportLink = ({ to }: { to: '/imports/branches' | '/imports/pos-users' }) => (
  <Link to={to} className={buttonClass()}>
    <Icon drawing={ICONS.upload} />
    Import
  </Link>
)
