import { useState, type ReactNode } from 'react'
import { partName } from '../../../domain/devices/rescueCopies.ts'
import { Actions, Button } from '../../../ui/Button.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Panel, Stack } from '../../../ui/Panel.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'

interface Props {
  parts: readonly string[]
  /** How many vouchers it holds, and what they are worth. */
  what: string
  /** Other ways to save it. */
  children: ReactNode
}

/** The codes of a rescue copy, one at a time: each as large as the screen allows, to be read by the camera of another device. */
export function RescueCodes({ parts, what, children }: Props) {
  const [chosen, choose] = useState(0)
  const at = Math.min(chosen, parts.length - 1)
  const name = partName(parts[at]!, parts)
  const isFirst = at === 0
  const isLast = at === parts.length - 1
  return (
    <Panel title={what}>
      <Stack padded className="justify-items-center">
        <QrCode key={at} text={parts[at]!} label={name} size="large" />
        {parts.length > 1 && (
          <div className="flex flex-wrap items-center justify-center gap-3">
            <Button icon={ICONS.left} aria-disabled={isFirst || undefined} onClick={() => choose(at - 1)}>
              Previous
            </Button>
            <span role="status" className="font-label phone:order-first phone:basis-full phone:text-center">
              {name}
            </span>
            <Button aria-disabled={isLast || undefined} onClick={() => choose(at + 1)}>
              Next
            </Button>
          </div>
        )}
        <p className="text-center text-muted">Scan the codes with another till, in any order. Or save them:</p>
        <Actions className="justify-center">{children}</Actions>
      </Stack>
    </Panel>
  )
}

/** Of the whole page only this is printed: all codes, and what to do with them. */
export const RescuePaper = ({
  parts,
  words: [title, ...words],
}: {
  parts: readonly string[]
  words: readonly string[]
}) => (
  <div className="hidden gap-4 print:grid">
    <div>
      <b className="font-strong">{title}</b>
      {words.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
    <div className="flex flex-wrap gap-4">
      {parts.map((part) => (
        <div key={part} className="grid justify-items-center gap-1 break-inside-avoid">
          <QrCode text={part} label={partName(part, parts)} size="large" />
          <span>{partName(part, parts)}</span>
        </div>
      ))}
    </div>
  </div>
)
