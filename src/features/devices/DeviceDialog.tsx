import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { ActivityLink } from '../../blocks/activity/ActivityLink.tsx'
import { confirmReleaseHold } from '../../blocks/vouchers/confirmReleaseHold.ts'
import { Device, readDevice, type DeviceRow, type UnsettledHold } from '../../contract/devices/devices.ts'
import { concernMessages, deviceConcerns } from '../../domain/devices/deviceConcerns.ts'
import { formatCents } from '../../domain/money.ts'
import { formatDuration, pluralize } from '../../domain/quantities.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Box, Facts, Item, Stack, type Fact } from '../../ui/Panel.tsx'
import { LateUploads } from './LateUploads.tsx'
import { SettleByHandDialog } from './SettleByHandDialog.tsx'
import { UnsettledHolds } from './UnsettledHolds.tsx'

interface DialogProps {
  row: DeviceRow
  now: Date
  onClose: () => void
  /** Reads the list again. */
  onChanged: () => void
}

/** Everything that is known of a till, what about it needs somebody, and what to do. */
export function DeviceDialog({ row, now, onClose, onChanged }: DialogProps) {
  const close = useRef<HTMLButtonElement>(null)
  const { guid } = useUser()
  const read = useCachedRead(guid, `device/${row.guid}`, Device, (signal) =>
    call(readDevice, { params: { id: row.guid }, signal }),
  )
  const device = read.data ?? row
  // These have panels of their own, where something is done about them.
  const concerns = deviceConcerns({ ...row, late: undefined, unsettled: undefined }, now.getTime())
  const [settling, setSettling] = useState<UnsettledHold>()
  const readAgain = () => {
    read.retry()
    onChanged()
  }
  // Dialogs are never stacked: this one makes room for the next.
  const release = ({ voucher_guid, serial, since }: UnsettledHold) => {
    onClose()
    void confirmReleaseHold({ guid: voucher_guid, serial, held: { till: row.name, since } }).then(onChanged)
  }
  if (settling) {
    return <SettleByHandDialog hold={settling} onSettled={readAgain} onClose={() => setSettling(undefined)} />
  }
  return (
    <Dialog
      open
      holdsForm
      title={row.name}
      onClose={onClose}
      initialFocus={close}
      actions={
        <>
          <ActivityLink type="till" guid={row.till_guid} />
          <Button ref={close} onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <Stack>
        <UnsettledHolds {...{ device, read, now }} onSettle={setSettling} onRelease={release} />
        <LateUploads device={device} onReviewed={readAgain} />
        {concerns.length > 0 && (
          <Box>
            <ul>
              {concerns.map((concern) => {
                const { short, long } = concernMessages(concern)
                return (
                  <Item
                    key={concern.is}
                    mark={<Icon drawing={concern.is === 'not reported' ? ICONS.clock : ICONS.alert} />}
                  >
                    <b className="font-strong">{short}</b>
                    <p className="text-muted">{long}</p>
                  </Item>
                )
              })}
            </ul>
          </Box>
        )}
        <Box>
          <Facts
            facts={[
              ['Branch', row.branch_name],
              ...revokedFacts(row),
              ...(row.report ? reportFacts(row.report, now) : []),
              ['Named', formatInstant(new Date(row.named_at))],
              ['Enrolled', row.enrolled_at ? formatInstant(new Date(row.enrolled_at)) : 'No'],
            ]}
          />
        </Box>
      </Stack>
    </Dialog>
  )
}

function revokedFacts({ revoked_at, moved_to, removal_asked_at, removed_at }: DeviceRow): Fact[] {
  if (!revoked_at) return []
  return [
    [moved_to ? `Moved to ${moved_to}` : 'Revoked', formatInstant(new Date(revoked_at))],
    ...(removal_asked_at
      ? [['Stored data', removed_at ? `Removed ${formatInstant(new Date(removed_at))}` : 'Removal asked for'] as const]
      : []),
  ]
}

function reportFacts(report: NonNullable<DeviceRow['report']>, now: Date): Fact[] {
  const { waiting, refused } = report
  const heardAt = new Date(report.heard_at)
  return [
    ['Last seen', [formatInstant(heardAt), `${formatDuration(now.getTime() - heardAt.getTime())} ago`]],
    ['Logged in', report.user ?? 'Nobody'],
    [
      'Waiting to upload',
      waiting.count === 0
        ? 'Nothing'
        : [
            `${pluralize(waiting.count, 'voucher')}, ${formatCents(waiting.cents)}`,
            ...(waiting.oldest_at ? [`Oldest redeemed ${formatInstant(new Date(waiting.oldest_at))}`] : []),
          ],
    ],
    ...(refused > 0 ? [['Uploads refused', String(refused)] as const] : []),
    ['Version', report.update_waits ? [report.build, 'An update waits'] : report.build],
    ['Browser', report.browser],
  ]
}
