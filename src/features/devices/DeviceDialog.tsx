import { useRef } from 'react'
import { ActivityLink } from '../../blocks/activity/ActivityLink.tsx'
import { clockOffLabel } from '../../blocks/devices/lackMessages.ts'
import type { DeviceRow } from '../../contract/devices.ts'
import { deviceConcerns } from '../../domain/devices/deviceConcerns.ts'
import { isClockOff } from '../../domain/devices/readiness.ts'
import { formatCents } from '../../domain/money.ts'
import { formatDuration, pluralize } from '../../domain/quantities.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Box, Facts, Item, Stack, type Fact } from '../../ui/Panel.tsx'
import { concernMessages } from './concernMessages.ts'

/** Everything that is known of a till, what about it needs somebody, and what to do. */
export function DeviceDialog({ row, now, onClose }: { row: DeviceRow; now: Date; onClose: () => void }) {
  const close = useRef<HTMLButtonElement>(null)
  const concerns = deviceConcerns(row, now.getTime())
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
        {concerns.length > 0 && (
          <Box>
            <ul>
              {concerns.map((concern) => {
                const { short, long } = concernMessages(concern)
                return (
                  <Item key={concern.is} mark={<Icon name={concern.is === 'not reported' ? 'clock' : 'alert'} />}>
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
              ...(row.report ? reportFacts(row.report, now) : []),
              ['Named', formatInstant(new Date(row.named_at))],
            ]}
          />
        </Box>
      </Stack>
    </Dialog>
  )
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
    ['Offline data', OFFLINE_DATA[String(report.persistent) as keyof typeof OFFLINE_DATA]],
    ['Clock', isClockOff(report.clock_offset_ms) ? clockOffLabel(report.clock_offset_ms) : 'Right'],
  ]
}

const OFFLINE_DATA = {
  true: 'Protected by the browser',
  false: 'Not protected: the browser may delete it',
  null: 'Not known',
} as const
