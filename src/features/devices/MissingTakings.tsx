import { useId, useRef } from 'react'
import * as v from 'valibot'
import { call } from '../../api/call.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { FormDialogActions } from '../../blocks/record/FormDialogActions.tsx'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import { closeMissing, type DeviceRow } from '../../contract/devices/devices.ts'
import { LIMITS } from '../../contract/limits.ts'
import {
  MISSING_KINDS,
  numbersText,
  type ClosedTakings,
  type MissingTakings,
} from '../../contract/redemptions/takings.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { TextArea } from '../../ui/form/TextFieldVariants.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Item, Panel, Words } from '../../ui/Panel.tsx'
import { concernMessages } from './concernMessages.ts'

interface Props {
  row: DeviceRow
  closed: readonly ClosedTakings[]
  /** Undefined for who may not. */
  onCloseMissing: ((row: DeviceRow, missing: MissingTakings) => void) | undefined
}

/** What a till redeemed and never uploaded, by its numbers: open, and closed with a reason. Nothing for a till without any. */
export function MissingTakingsPanel({ row, closed, onCloseMissing }: Props) {
  const offline = useOffline()
  const needs = useId()
  if (row.missing.length + closed.length === 0) return null
  const kinds = MISSING_KINDS.filter((is) => row.missing.some(({ kind }) => kind === is))
  return (
    <Panel title="Missing vouchers" level="h3">
      {kinds.length > 0 && (
        <div className="grid gap-2 border-b border-border px-4 py-3 text-muted">
          {kinds.map((is) => (
            <p key={is}>{concernMessages({ is, ranges: [] }).long}</p>
          ))}
        </div>
      )}
      <ul>
        {row.missing.map((missing) => (
          <Item
            key={keyOf(missing)}
            mark={<Icon drawing={ICONS.alert} />}
            actionBelow
            action={
              onCloseMissing && (
                <Button
                  aria-disabled={offline}
                  aria-describedby={offline ? needs : undefined}
                  onClick={() => onCloseMissing(row, missing)}
                >
                  Give a reason<span className="sr-only">{` for ${numbersText([[missing.from, missing.to]])}`}</span>
                </Button>
              )
            }
          >
            <b className="font-strong">{missingSentence(row.name, missing)}</b>
            <p className="text-muted">{`Noticed ${formatInstant(new Date(missing.noticed_at))}`}</p>
          </Item>
        ))}
        {closed.map((one) => (
          <Item key={`${keyOf(one)} ${one.closed_at}`} mark={<Icon drawing={ICONS.ok} />}>
            <p>{missingSentence(row.name, one)}</p>
            <p className="text-muted">
              <span>{`Closed ${formatInstant(new Date(one.closed_at))} by ${one.closed_by}: `}</span>
              <Words>{one.reason}</Words>
            </p>
          </Item>
        ))}
      </ul>
      {offline && row.missing.length > 0 && (
        <p id={needs} className="border-t border-border px-4 py-3 text-muted">
          Closing needs a connection.
        </p>
      )}
    </Panel>
  )
}

type Numbers = Pick<MissingTakings, 'sequence' | 'kind' | 'from' | 'to'>

const keyOf = ({ sequence, kind, from }: Numbers) => `${sequence} ${kind} ${from}`

/** "Till 2 took voucher number 47 that has not arrived." */
function missingSentence(till: string, { kind, from, to }: Omit<Numbers, 'sequence'>): string {
  const isOne = from === to
  const vouchers = `voucher ${numbersText([[from, to]])}`
  if (kind === 'missing') return `${till} took ${vouchers} that ${isOne ? 'has' : 'have'} not arrived.`
  return `${till} took ${vouchers}, and ${isOne ? 'it does' : 'they do'} not fit the one before.`
}

interface CloseProps {
  row: DeviceRow
  missing: MissingTakings
  onClosed: () => void
  onClose: () => void
}

const Reason = v.pick(closeMissing.body, ['reason'])

const BEFORE_CLOSING: Record<MissingTakings['kind'], string> = {
  missing: 'First import the rescue copy of the till, if one was saved: what arrives still counts.',
  broken: 'First ask who used the till then, and look at its vouchers.',
}

/** Closes missing numbers of a till with the reason, which stays beside them. */
export function CloseMissingDialog({ row, missing, onClosed, onClose }: CloseProps) {
  const id = useId()
  const first = useRef<HTMLTextAreaElement>(null)
  const { sequence, kind, from, to } = missing
  const numbers = numbersText([[from, to]])
  const form = useForm({
    schema: Reason,
    initial: { reason: '' },
    submit: async ({ reason }) => {
      try {
        await call(closeMissing, { params: { id: row.guid }, body: { sequence, kind, from, to, reason } })
        showToast({ tone: 'success', text: `Closed ${numbers} of ${row.name}` })
        onClosed()
        onClose()
        return undefined
      } catch (error) {
        return toFormFailure(error)
      }
    },
  })
  useUnsavedWork('close-missing', form.dirty)
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Close ${numbers} of ${row.name}`}
      holdsForm
      initialFocus={first}
      actions={<FormDialogActions act={`Close ${numbers}`} {...{ id, form }} onClose={onClose} />}
    >
      <Form form={form} id={id}>
        <p>
          {`${missingSentence(row.name, missing)} ${BEFORE_CLOSING[kind]} What is closed stays listed with your reason.`}
        </p>
        <TextArea label="Reason" rows={3} maxLength={LIMITS.reasonLength} ref={first} {...form.field('reason')} />
      </Form>
    </Dialog>
  )
}
