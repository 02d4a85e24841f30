import { usePermission } from '../../blocks/accounts/useUser.ts'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { Money } from '../../blocks/vouchers/Money.tsx'
import type { Device, DeviceRow, UnsettledHold } from '../../contract/devices/devices.ts'
import { concernMessages } from '../../domain/devices/deviceConcerns.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import type { CachedRead } from '../../offline/reads/useCachedRead.ts'
import { Button } from '../../ui/Button.tsx'
import { ExactSentence } from '../../ui/ExactSentence.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Exact, Item, Panel, Stack } from '../../ui/Panel.tsx'

interface Props {
  device: DeviceRow
  read: CachedRead<Device>
  now: Date
  onSettle: (hold: UnsettledHold) => void
  onRelease: (hold: UnsettledHold) => void
}

/** What a till held and never settled, one by one, and what a person can do about each (rule 9.25). Nothing without any. */
export function UnsettledHolds({ device, read, now, onSettle, onRelease }: Props) {
  const mayEdit = usePermission('vouchers', 'edit')
  const { unsettled } = device
  if (unsettled.count === 0) return null
  const { short, long } = concernMessages({ is: 'unsettled', ...unsettled })
  return (
    <Panel title="Held and not settled" level="h3">
      <Stack padded>
        <div>
          <p className="font-strong">
            <ExactSentence text={short} />
          </p>
          <p className="text-muted">{long}</p>
        </div>
        {mayEdit && <NeedsConnection />}
      </Stack>
      <RecordRead read={read} what="The list of these vouchers" inPanel>
        {({ unsettled_holds }) => (
          <ul className="border-t border-border">
            {unsettled_holds.map((hold) => (
              <Held key={hold.id} {...{ hold, now, mayEdit, onSettle, onRelease }} />
            ))}
          </ul>
        )}
      </RecordRead>
    </Panel>
  )
}

interface HeldProps extends Pick<Props, 'now' | 'onSettle' | 'onRelease'> {
  hold: UnsettledHold
  mayEdit: boolean
}

function Held({ hold, now, mayEdit, onSettle, onRelease }: HeldProps) {
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
