import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import * as v from 'valibot'
import { Money } from '../../../blocks/vouchers/Money.tsx'
import { readStored, writeStored } from '../../../state/persisted.ts'
import { Actions, Button } from '../../../ui/Button.tsx'
import { ExactSentence } from '../../../ui/ExactSentence.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { useRootClass } from '../../../ui/useRootClass.ts'
import { useEscape } from '../useEscape.ts'
import { ToneDisc, hasLightField, toneClass, type Tone } from './tones.tsx'

interface Props {
  tone: Tone
  tell: string
  /** The value of the voucher, or of all of them, if known. */
  cents: number | undefined
  onBack: () => void
}

const TURNED_KEY = 'customer-view-turned'

/**
 * Shows sign, amount and sentence to the customer. The tablet lies between cashier and customer, which needs a turned view, or is
 * handed over: the device remembers which. The only buttons turn the view and lead back, since the customer may hold the device.
 */
export function CustomerView({ tone, tell, cents, onBack }: Props) {
  const [opener] = useState(() => document.activeElement)
  const [isTurned, setIsTurned] = useState(() => readStored(TURNED_KEY, v.boolean()) ?? true)
  const turnButton = useRef<HTMLButtonElement>(null)
  const backButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [opener])
  useEscape(onBack)
  useRootClass('has-dialog')
  const turn = () => {
    setIsTurned(!isTurned)
    writeStored(TURNED_KEY, !isTurned)
  }
  // Tab moves only between the two buttons: a customer must not reach the counter below.
  const swapFocus = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') return
    event.preventDefault()
    const other = document.activeElement === backButton.current ? turnButton : backButton
    other.current?.focus()
  }
  const outline = hasLightField(tone) ? 'focus-visible:outline-verdict-ink' : 'focus-visible:outline-verdict-text'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it keeps the focus between its buttons
    <div
      className={`fixed inset-0 z-12 grid grid-cols-1 grid-rows-[minmax(0,1fr)_auto] items-center gap-4 bg-(--v) p-8 [--ground:var(--v)] phone:p-4 forced-colors:border-2 ${toneClass(tone)}`}
      role="dialog"
      aria-modal="true"
      aria-label="For the customer"
      onKeyDown={swapFocus}
    >
      <div
        className={`grid max-h-full content-center justify-items-center gap-4 text-center small:gap-2 ${isTurned ? 'rotate-180' : ''}`}
      >
        <ToneDisc tone={tone} className="size-[clamp(3rem,18vmin,9rem)]" />
        {cents !== undefined && (
          <p className="text-[clamp(3rem,16vmin,9rem)]/[1.1] font-strong tracking-[-0.02em]">
            <Money cents={cents} />
          </p>
        )}
        <p className="max-w-[30ch] text-[clamp(1.5rem,5vmin,2.5rem)]/[1.3]">
          <ExactSentence text={tell.replaceAll(/[“”]/g, '')} />
        </p>
      </div>
      <Actions className="justify-center">
        <Button ref={turnButton} big className={outline} icon={ICONS.refresh} onClick={turn}>
          Turn
        </Button>
        <Button
          ref={backButton}
          big
          className={outline}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it covers everything else, and Enter must lead back
          autoFocus
          onClick={onBack}
        >
          Back to the till
        </Button>
      </Actions>
    </div>
  )
}
