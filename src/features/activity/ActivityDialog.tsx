import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import type { ActivityRow } from '../../contract/activity/activity.ts'
import { activityFacts, activitySentence } from '../../domain/activityLabels.ts'
import { profileDetails } from '../../domain/paths.ts'
import { formatLongDay, formatTimeWithSeconds } from '../../domain/singaporeTime.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Box, Facts, Words } from '../../ui/Panel.tsx'
import { branchText, deviceText } from './activityList.tsx'

/** Everything that is recorded about one activity entry. */
export function ActivityDialog({ row, onClose }: { row: ActivityRow; onClose: () => void }) {
  const close = useRef<HTMLButtonElement>(null)
  const at = new Date(row.at)
  return (
    <Dialog
      open
      hasLongContent
      title={activitySentence(row)}
      onClose={onClose}
      initialFocus={close}
      actions={
        <>
          <SubjectLink row={row} />
          <Button ref={close} onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <Box>
        <Facts
          facts={[
            ['Person', <Words key="person">{row.actor}</Words>],
            ['Day', formatLongDay(at)],
            ['Time', formatTimeWithSeconds(at)],
            ...(row.branch_guid === null ? [] : [['Branch', branchText(row)] as const]),
            ['Device', deviceText(row)],
            ...activityFacts(row.details),
          ]}
        />
      </Box>
    </Dialog>
  )
}

/** A link to the record that the entry is about, if it has a page that this person may open. */
function SubjectLink({ row }: { row: ActivityRow }) {
  const mayEditMasters = usePermission('masters', 'edit')
  const mayViewBranches = usePermission('branches', 'view')
  const user = useUser()
  const { subject, branch_guid: branch, action } = row
  const className = buttonClass()
  if (action.endsWith('.deleted')) return null
  if (subject.type === 'master' && mayEditMasters) {
    return (
      <Link to="/masters/$type/$id" params={{ type: subject.id, id: 'edit' }} className={className}>
        Open master
      </Link>
    )
  }
  if (subject.type === 'branch' && mayViewBranches) {
    return (
      <Link to="/branches/$type/$id" params={{ type: subject.id, id: 'view' }} className={className}>
        Open branch
      </Link>
    )
  }
  if (subject.type === 'pos_user' && mayViewBranches && branch !== null) {
    return (
      <Link
        to="/branches/$type/$id"
        params={{ type: branch, id: 'view' }}
        search={{ tab: 'pos', q: subject.name }}
        className={className}
      >
        Open POS user
      </Link>
    )
  }
  if (subject.type === 'voucher') {
    return (
      <Link to="/vouchers" search={{ voucher: subject.id }} className={className}>
        Open voucher
      </Link>
    )
  }
  const isOwn = subject.type === 'organisation' || (user.type === 'Branch Merchant' && subject.type === 'branch')
  return isOwn ? (
    <Link {...profileDetails(user)} className={className}>
      Open profile
    </Link>
  ) : null
}
