import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { ActivityLink } from '../../blocks/activity/ActivityLink.tsx'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { runAction } from '../../blocks/record/recordActions.ts'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { confirmReleaseHold } from '../../blocks/vouchers/confirmReleaseHold.ts'
import { Money } from '../../blocks/vouchers/Money.tsx'
import { Device, type DeviceRow, readDevice, reviewDevice, type UnsettledHold } from '../../contract/devices/devices.ts'
import { concernMessages, deviceConcerns } from '../../domain/devices/deviceConcerns.ts'
import { formatCents } from '../../domain/money.ts'
import { formatDuration, pluralize } from '../../domain/quantities.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { type CachedRead, useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { Actions, Button, buttonClass } from '../../ui/Button.tsx'
import { ExactSentence } from '../../ui/ExactSentence.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Box, Exact, type Fact, Facts, Item, Panel, Stack } from '../../ui/Panel.tsx'
import { SettleByHandDialog } from './SettleByHandDialog.tsx'

interface DialogProps {
  row: DeviceRow
  now: Date
  onClose: () => void
  /** Reads the list again. */
  onChanged: () => void
}

/** Shows everything that is known about a till, its concerns, and the possible actions. */
export function DeviceDialog({ row, now, onClose, onChanged }: DialogProps) {
  const close = useRef<HTMLButtonElement>(null)
  const { guid } = useUser()
  const read = useCachedRead(guid, `device/${row.guid}`, Device, (signal) =>
    call(readDevice, { params: { id: row.guid }, signal }),
  )
  const device = read.data ?? row
  // Late uploads and unsettled holds have their own panels.
  const concerns = deviceConcerns({ ...row, late: undefined, unsettled: undefined }, now.getTime())
  const [settling, setSettling] = useState<UnsettledHold>()
  const readAgain = () => {
    read.retry()
    onChanged()
  }
  // Dialogs are never stacked: this one closes before the next opens.
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
      hasLongContent
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
        <UnsettledHolds device={device} read={read} now={now} onSettle={setSettling} onRelease={release} />
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

function revokedFacts({ revoked_at, moved_to, removal_requested_at, removed_at }: DeviceRow): Fact[] {
  if (!revoked_at) return []
  return [
    [moved_to ? `Moved to ${moved_to}` : 'Revoked', formatInstant(new Date(revoked_at))],
    ...(removal_requested_at
      ? [['Stored data', removed_at ? `Removed ${formatInstant(new Date(removed_at))}` : 'Removal requested'] as const]
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
    ['Version', report.update_waits ? [report.build, 'An update is waiting'] : report.build],
    ['Browser', report.browser],
  ]
}

interface UnsettledHoldsProps {
  device: DeviceRow
  read: CachedRead<Device>
  now: Date
  onSettle: (hold: UnsettledHold) => void
  onRelease: (hold: UnsettledHold) => void
}

const ConcernText = ({ short, long }: { short: string; long: string }) => (
  <div>
    <p className="font-strong">
      <ExactSentence text={short} />
    </p>
    <p className="text-muted">{long}</p>
  </div>
)

/** Lists the holds that a till never settled, with the actions for each (rule 9.25). Shows nothing if there are none. */
function UnsettledHolds({ device, read, now, onSettle, onRelease }: UnsettledHoldsProps) {
  const mayEdit = usePermission('vouchers', 'edit')
  const { unsettled } = device
  if (unsettled.count === 0) return null
  const { short, long } = concernMessages({ is: 'unsettled', ...unsettled })
  return (
    <Panel title="Held and not settled" level="h3">
      <Stack padded>
        <ConcernText short={short} long={long} />
        {mayEdit && <NeedsConnection />}
      </Stack>
      <RecordRead read={read} what="The list of these vouchers" inPanel>
        {({ unsettled_holds }) => (
          <ul className="border-t border-border">
            {unsettled_holds.map((hold) => (
              <HeldItem
                key={hold.id}
                hold={hold}
                now={now}
                mayEdit={mayEdit}
                onSettle={onSettle}
                onRelease={onRelease}
              />
            ))}
          </ul>
        )}
      </RecordRead>
    </Panel>
  )
}

interface HeldItemProps extends Pick<UnsettledHoldsProps, 'now' | 'onSettle' | 'onRelease'> {
  hold: UnsettledHold
  mayEdit: boolean
}

function HeldItem({ hold, now, mayEdit, onSettle, onRelease }: HeldItemProps) {
  const offline = useOffline()
  // A stored list may be older than the end of a hold.
  const isOver = !hold.can_be_settled || Date.parse(hold.ends) <= now.getTime()
  const serialId = `held-${hold.id}`
  const button = { 'aria-disabled': offline || undefined, 'aria-describedby': serialId }
  return (
    <Item
      mark={<Icon drawing={isOver ? ICONS.x : ICONS.clock} />}
      actionBelow
      action={
        mayEdit &&
        (isOver ? (
          <Button {...button} onClick={() => onRelease(hold)}>
            Release hold
          </Button>
        ) : (
          <Button {...button} onClick={() => onSettle(hold)}>
            Settle by hand…
          </Button>
        ))
      }
    >
      <p id={serialId} className="font-strong">
        <span className="whitespace-nowrap">
          <Exact>{formatSerial(hold.serial)}</Exact>
        </span>
        <span>, </span>
        <Money cents={hold.denomination_cents} />
      </p>
      <p className="text-muted">
        <Exact>{hold.pos_username}</Exact>
        <span>{`, ${formatInstant(new Date(hold.since))}`}</span>
      </p>
      {isOver && <p>Its time is over: nobody can settle it by hand.</p>}
    </Item>
  )
}

interface LateUploadsProps {
  device: DeviceRow & Partial<Pick<Device, 'reviewed' | 'settled_by_hand'>>
  /** Reads the till and the list again. */
  onReviewed: () => void
}

/** Shows the late uploads of a till, who settled which, and the review (decision 0079). Empty if there are none. */
function LateUploads({ device, onReviewed }: LateUploadsProps) {
  const { guid, name, late, reviewed, settled_by_hand: byHand = [] } = device
  if (late.count === 0 && !reviewed) return null
  const { short, long } = concernMessages({ is: 'late', ...late })
  return (
    <Panel title="Late uploads" level="h3">
      <Stack padded>
        {late.count > 0 && <ConcernText short={short} long={long} />}
        {byHand.length > 0 && <SettledByHand holds={byHand} />}
        {reviewed && (
          <p className="text-muted">{`Reviewed ${formatInstant(new Date(reviewed.at))}, by ${reviewed.by}`}</p>
        )}
        <Actions>
          <Link to="/vouchers" search={{ filter: { late: guid } }} className={buttonClass()}>
            Show the vouchers
          </Link>
          {late.newest_at !== null && (
            <ReviewButton guid={guid} name={name} onReviewed={onReviewed} until={late.newest_at} />
          )}
        </Actions>
      </Stack>
    </Panel>
  )
}

/** Lists the holds that were settled by hand and need a review. */
const SettledByHand = ({ holds }: { holds: Device['settled_by_hand'] }) => (
  <div>
    <p>Settled by hand:</p>
    <ul className="grid gap-2">
      {holds.map(({ id, serial, denomination_cents, redeemed_at, by, reason }) => (
        <li key={id} className="wrap-anywhere">
          <p>
            <Exact>{formatSerial(serial)}</Exact>
            <span>, </span>
            <Money cents={denomination_cents} />
            <span>{`, ${formatInstant(new Date(redeemed_at))}`}</span>
          </p>
          <p className="text-muted">
            <Exact>{by}</Exact>
            <span>{`: “${reason}”`}</span>
          </p>
        </li>
      ))}
    </ul>
  </div>
)

interface ReviewButtonProps extends Pick<DeviceRow, 'guid' | 'name'> {
  until: string
  onReviewed: () => void
}

/** Reviews at once, without a question, because nothing is lost. */
function ReviewButton({ guid, name, until, onReviewed }: ReviewButtonProps) {
  const mayEdit = usePermission('pos', 'edit')
  const offline = useOffline()
  const [busy, setBusy] = useState(false)
  if (!mayEdit) return null
  const review = async () => {
    setBusy(true)
    const run = () => call(reviewDevice, { params: { id: guid }, body: { until } })
    const done = await runAction({ run, done: `Late uploads of ${name} reviewed` })
    setBusy(false)
    if (done) onReviewed()
  }
  return (
    <>
      <Button busy={busy} aria-disabled={offline || undefined} onClick={() => void review()}>
        Mark as reviewed
      </Button>
      <NeedsConnection />
    </>
  )
}
