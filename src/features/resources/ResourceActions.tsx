import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { ResourceRow } from '../../contract/resources.ts'
import { formatBytes } from '../../domain/quantities.ts'
import { Button } from '../../ui/Button.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import type { ResourceFiles } from './useResourceFiles.ts'

interface Props {
  row: ResourceRow
  files: ResourceFiles
  onDownload: (row: ResourceRow) => void
}

/** Buttons for the file of a row: from the server if it is new, from this device if it is stored here. */
export function ResourceActions({ row, files, onDownload }: Props) {
  const offline = useOffline()
  const received = files.receivedOf(row)
  const stored = files.storedOf(row)
  if (received !== undefined) return <Receiving {...{ row, received }} onCancel={() => files.cancel(row)} />
  const fromDevice = stored && (offline || !files.isNewer(row))
  return (
    <span className="inline-flex items-center gap-2">
      {fromDevice ? (
        <Button aria-label={`Save ${row.title}`} onClick={() => void files.save(row)}>
          Save file
        </Button>
      ) : (
        <Button
          aria-label={`Download ${row.title}`}
          aria-disabled={offline || undefined}
          onClick={() => onDownload(row)}
        >
          Download
        </Button>
      )}
      {stored && (
        <Button
          variant="quiet"
          aria-label={`Remove ${row.title} from this device`}
          onClick={() => void files.remove(row)}
        >
          Remove
        </Button>
      )}
    </span>
  )
}

function Receiving({ row, received, onCancel }: { row: ResourceRow; received: number; onCancel: () => void }) {
  const share = row.size > 0 ? Math.min(received / row.size, 1) : 0
  return (
    <span className="inline-flex items-center gap-2">
      <span className="grid min-w-[7rem] gap-1">
        <span className="text-muted whitespace-nowrap">
          {formatBytes(received)} of {formatBytes(row.size)}
        </span>
        <ProgressBar label={`Downloading ${row.title}`} value={share} />
      </span>
      <Button variant="quiet" aria-label={`Cancel the download of ${row.title}`} onClick={onCancel}>
        Cancel
      </Button>
    </span>
  )
}
