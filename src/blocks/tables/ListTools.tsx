import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Endpoint } from '../../contract/endpoint.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { NeedsConnection } from '../connectivity/OnlineLink.tsx'
import { useOffline } from '../connectivity/useOffline.ts'
import { saveFromServer } from '../downloads/saveFile.ts'

interface ExportButtonProps {
  endpoint: Endpoint & { answer: 'file' }
  /** The very query of the table: the file holds exactly the rows that it pages through. */
  query: object
  /** It has no row. */
  nothing: boolean
}

/** The whole filtered list as a file. */
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
      <NeedsConnection or={nothing && 'Nothing to export.'} />
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

/** As far as this device knows: a list that was not read may have rows. */
export const hasNoRow = (read: { data?: { total: number } | undefined }): boolean => read.data?.total === 0

/** To the import of a file. The file is read offline too, so the link is never refused. */
export const ImportLink = ({ to }: { to: '/imports/branches' | '/imports/pos-users' }) => (
  <Link to={to} className={buttonClass()}>
    <Icon drawing={ICONS.upload} />
    Import
  </Link>
)
