import { useRef } from 'react'
import type { ActivityRow } from '../../contract/activity/activity.ts'
import { activityFacts, activitySentence } from '../../domain/activityLabels.ts'
import { formatLongDay, formatTimeWithSeconds } from '../../domain/singaporeTime.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { deviceText } from './activityList.tsx'
import { SubjectLink } from './SubjectLink.tsx'

/** All that was written down about one act. */
export function ActivityDialog({ row, onClose }: { row: ActivityRow; onClose: () => void }) {
  const way = useRef<HTMLButtonElement>(null)
  const at = new Date(row.at)
  return (
    <Dialog
      open
      holdsForm
      title={activitySentence(row)}
      onClose={onClose}
      initialFocus={way}
      actions={
        <>
          <SubjectLink row={row} />
          <Button ref={way} onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className="panel">
        <Facts
          facts={[
            [
              'Person',
              <span key="person" className="words">
                {row.actor}
              </span>,
            ],
            ['Day', formatLongDay(at)],
            ['Time', formatTimeWithSeconds(at)],
            ['Device', deviceText(row)],
            ...activityFacts(row.details),
          ]}
        />
      </div>
    </Dialog>
  )
}
