import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { useUser } from '../../../blocks/accounts/useUser.ts'
import { saveFileWithToast } from '../../../blocks/downloads/saveFile.ts'
import { BackLink } from '../../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { rescueParts } from '../../../domain/devices/rescueCopies.ts'
import { formatCents } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { formatInstant, singaporeDay } from '../../../domain/singaporeTime.ts'
import { hasTillDatabase, tillDatabase } from '../../../offline/redemptions/openTill.ts'
import { sealWaiting } from '../../../offline/redemptions/rescueCopy.ts'
import { unsentTillRows } from '../../../offline/redemptions/tillRows.ts'
import { useLiveQuery } from '../../../offline/storage/useLiveQuery.ts'
import { isAtRisk, sumCents, type TillRow } from '../../../offline/store/till.ts'
import { tillDevice } from '../../../state/counter.ts'
import { rescueKeys } from '../../../state/rescue.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Box, Item, Panel, Split } from '../../../ui/Panel.tsx'
import { RescueCodes, RescuePaper } from './RescueCodes.tsx'

/** What waits on this device, sealed for the portal and the other tills of its organisation. Works without a connection. */
export function RescueCopyPage() {
  usePageTitle('Rescue copy')
  const rows = useLiveQuery(unsentHere, 'unsent-here')
  return (
    <>
      <div className="print:hidden">
        <PageHeader
          back={<BackLink to="/settings/device">This device</BackLink>}
          title="Rescue copy"
          note="For when this device breaks, is lost or stays off before it has uploaded."
        />
      </div>
      {rows?.length === 0 && (
        <Box>
          <EmptyState icon={ICONS.ok} title="Nothing to save" text="All vouchers of this device are uploaded." />
        </Box>
      )}
      {rows !== undefined && rows.length > 0 && <CopyOf rows={rows} />}
    </>
  )
}

const unsentHere = async () => ((await hasTillDatabase()) ? unsentTillRows(tillDatabase()) : [])

function CopyOf({ rows }: { rows: readonly TillRow[] }) {
  const { organisation_guid, organisation_name } = useUser()
  const key = useSnapshot(rescueKeys)[organisation_guid]
  const made = useSealedCopy(rows, organisation_guid)
  if (!key) {
    return (
      <Notice tone="warn" title="No rescue copy can be made here yet">
        <p>This device needs a key of your organisation. It gets one when a cashier logs in here online.</p>
      </Notice>
    )
  }
  if (made === 'failed') {
    return (
      <Notice tone="danger" role="alert" title="The rescue copy was not made">
        <p>This browser cannot seal it. Keep this device on until it has uploaded.</p>
      </Notice>
    )
  }
  if (!made) return null
  const { count, cents, atRiskCents, copies, madeAt } = made
  const parts = rescueParts(copies)
  const what = `${pluralize(count, 'voucher')}, ${formatCents(cents)}`
  const words = [
    `Rescue copy of ${made.till}, ${organisation_name}`,
    `${what}. Made ${formatInstant(madeAt)}.`,
    ...(atRiskCents > 0 ? [atRiskText(atRiskCents)] : []),
    'Import it in the portal under “Devices”, or at another till under “This device”.',
    `It is not money, and only ${organisation_name} can use it.`,
    'Throw it away when this till has nothing waiting.',
  ]
  return (
    <>
      <div className="print:hidden">
        <Split columns="even">
          <RescueCodes parts={parts} what={what}>
            <Button icon={ICONS.download} onClick={() => void saveFileWithToast(fileOf(words, copies, madeAt))}>
              Save as a file
            </Button>
            <Button onClick={() => print()}>Print</Button>
          </RescueCodes>
          <AboutCopy organisation={organisation_name} atRiskCents={atRiskCents} />
        </Split>
      </div>
      <RescuePaper parts={parts} words={words} />
    </>
  )
}

const atRiskText = (cents: number) =>
  `${formatCents(cents)} of it was accepted at the shop’s risk. The import says whether the shop is paid.`

const AboutCopy = ({ organisation, atRiskCents }: { organisation: string; atRiskCents: number }) => (
  <Panel title="What it is for">
    <ul>
      <Item mark={<Icon drawing={ICONS.upload} />}>
        <b className="font-strong">It uploads what this device cannot</b>
        <p className="text-muted">Import it in the portal under “Devices”, or at another till under “This device”.</p>
      </Item>
      {atRiskCents > 0 && (
        <Item mark={<Icon drawing={ICONS.alert} />}>
          <b className="font-strong">Not all of it is safe</b>
          <p className="text-muted">{atRiskText(atRiskCents)}</p>
        </Item>
      )}
      <Item mark={<Icon drawing={ICONS.lock} />}>
        <b className="font-strong">It is not money</b>
        <p className="text-muted">{`It is sealed. Only ${organisation} can use it.`}</p>
      </Item>
      <Item mark={<Icon drawing={ICONS.ok} />}>
        <b className="font-strong">Nothing counts twice</b>
        <p className="text-muted">Import it twice, or upload here as well: each voucher is recorded once.</p>
      </Item>
      <Item mark={<Icon drawing={ICONS.x} />}>
        <b className="font-strong">Throw it away afterwards</b>
        <p className="text-muted">
          When nothing is waiting here, it has no use. Vouchers redeemed later need a new copy.
        </p>
      </Item>
    </ul>
  </Panel>
)

interface SealedCopy {
  copies: string[]
  till: string
  count: number
  cents: number
  /** Of it, what was accepted without a check. */
  atRiskCents: number
  madeAt: Date
}

/** The copy of what waits now: another one when that changes. Undefined while it is made. */
function useSealedCopy(rows: readonly TillRow[], organisation: string): SealedCopy | 'failed' | undefined {
  const [made, setMade] = useState<SealedCopy | 'failed'>()
  const kid = useSnapshot(rescueKeys)[organisation]?.kid
  const ids = rows.map(({ id }) => id).join()
  const seal = useEffectEvent(async (): Promise<SealedCopy> => {
    const madeAt = new Date()
    // The name under which the vouchers are held, whoever is logged in now. What was accepted without a check is held nowhere.
    const last = rows.at(-1)
    const name = last?.hold?.till ?? tillDevice.names[last?.accepted?.branch ?? ''] ?? 'Till'
    const till = { id: tillDevice.guid, name }
    const sealed = await sealWaiting(tillDatabase(), rescueKeys[organisation]!, till, madeAt.getTime())
    return {
      copies: sealed.copies,
      till: name,
      count: sealed.rows.length,
      cents: sumCents(sealed.rows),
      atRiskCents: sumCents(sealed.rows.filter(isAtRisk)),
      madeAt,
    }
  })
  useEffect(() => {
    if (kid === undefined) return undefined
    let live = true
    seal().then(
      (sealed) => live && setMade(sealed),
      () => live && setMade('failed'),
    )
    return () => void (live = false)
  }, [ids, kid])
  return made
}

const fileOf = (words: readonly string[], copies: readonly string[], madeAt: Date): File =>
  new File([`${[...words, '', ...copies].join('\n')}\n`], `rescue-copy-${singaporeDay(madeAt)}.txt`, {
    type: 'text/plain',
  })
