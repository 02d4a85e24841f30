import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/ApiError.ts'
import { download } from '../../api/download.ts'
import type { CallInput } from '../../api/transport.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { showToast } from '../../state/toasts.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { NeedsConnection } from '../connectivity/OnlineLink.tsx'
import { useOffline } from '../connectivity/useOffline.ts'
import { saveFileWithToast } from '../downloads/saveFile.ts'

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
  const [received, setReceived] = useState<number>()
  const run = async () => {
    setReceived(0)
    await exportList(endpoint, { body: { ...query, start: 0 } }, setReceived)
    setReceived(undefined)
  }
  return (
    <>
      <NeedsConnection or={nothing && 'There is no row to export.'} />
      <Button
        icon={ICONS.download}
        busy={received !== undefined}
        aria-disabled={offline || nothing || undefined}
        onClick={() => void run()}
      >
        Export CSV
      </Button>
      <span className="sr-only" role="status">
        {received !== undefined && 'Exporting'}
      </span>
    </>
  )
}

/** As far as this device knows: a list that was not read may have rows. */
export const hasNoRow = (read: { data?: { total: number } | undefined }): boolean => read.data?.total === 0

async function exportList(endpoint: Endpoint, input: CallInput, progress: (received: number) => void) {
  try {
    const { bytes, filename, type } = await download(endpoint, input, progress)
    await saveFileWithToast(new File([bytes], filename, { type }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    showToast({ tone: 'danger', text: `The list was not exported. ${error.statusMessage}` })
  }
}

/** To the import of a file. The file is read offline too, so the link is never refused. */
export const ImportLink = ({ to }: { to: '/imports/branches' | '/imports/pos-users' }) => (
  <Link to={to} className={buttonClass()}>
    <Icon drawing={ICONS.upload} />
    Import
  </Link>
)
