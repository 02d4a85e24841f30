import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { useOffline } from '../connectivity/useOffline.ts'
import type { BulkAction } from '../list/BulkAct.ts'
import { BulkDialog } from '../list/BulkDialog.tsx'
import type { RecordList } from './RecordList.ts'

interface BulkBarProps<Row> {
  list: Pick<RecordList<Row, never, never>, 'rowKey' | 'rowName'>
  bulk: readonly BulkAction<Row>[]
  chosen: readonly Row[]
  onClear: () => void
  /** Something was changed: the list is to be read again. */
  onDone: () => void
}

/** Above the table while rows are chosen: how many, what can be done with them, and the way out. */
export function BulkBar<Row>({ list, bulk, chosen, onClear, onDone }: BulkBarProps<Row>) {
  const [act, setAct] = useState<BulkAction<Row>>()
  const offline = useOffline()
  return (
    <div className="bulk-bar" role="region" aria-label="Selected rows">
      <span className="strong" role="status">
        {chosen.length} selected
      </span>
      {bulk.map((one) => (
        <Button
          key={one.label}
          variant={one.destructive ? 'danger' : 'plain'}
          aria-disabled={offline || undefined}
          onClick={() => setAct(one)}
        >
          {one.label}
        </Button>
      ))}
      {offline && <span className="muted">Needs a connection.</span>}
      <Button variant="quiet" onClick={onClear}>
        Clear selection
      </Button>
      {act && (
        <BulkDialog
          {...{ list, act, chosen }}
          onClose={(changed) => {
            setAct(undefined)
            if (!changed) return
            onClear()
            onDone()
          }}
        />
      )}
    </div>
  )
}
