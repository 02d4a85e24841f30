import { useEffect, useEffectEvent } from 'react'
import { ScannerKeys } from './ScannerKeys.ts'

interface HandScanner {
  /** Gets a voucher's serial, its QR text, the whole text of a signed voucher, or the text of another code. */
  onScan: (scanned: string) => void
  /** True if a scan can be taken now. Without this function every scan is taken. */
  mayTake?: () => boolean
  /** Called for a scan that could not be taken, so that the screen reports it. */
  onRefused?: (scanned: string) => void
}

/**
 * Listens for a hand scanner that types, wherever the focus is (rule 14.12). It never takes the focus. Enter and space reach
 * buttons only if they are not part of a scan.
 */
export function useHandScanner(scanner: HandScanner): void {
  const onScan = useEffectEvent(scanner.onScan)
  const mayTake = useEffectEvent(() => scanner.mayTake?.() ?? true)
  const onRefused = useEffectEvent((scanned: string) => scanner.onRefused?.(scanned))
  useEffect(() => {
    const keys = new ScannerKeys({
      rememberField,
      control: pressOfControl,
      takesLetters,
      mayTake: () => mayTake(),
      onScan: (scanned) => onScan(scanned),
      onRefused: (scanned) => onRefused(scanned),
    })
    const stop = new AbortController()
    // Capture on `window` runs before any other listener of the page.
    const first = { capture: true, signal: stop.signal }
    window.addEventListener('keydown', (event) => keys.keydown(event), first)
    window.addEventListener('keyup', (event) => keys.keyup(event), first)
    window.addEventListener('beforeinput', (event) => keys.inserted(event), first)
    window.addEventListener('paste', (event) => keys.pasted(event, event.clipboardData?.getData('text') ?? ''), first)
    window.addEventListener('click', (event) => keys.clicked(event), first)
    return () => {
      stop.abort()
      keys.stop()
    }
  }, [])
}

const takesLetters = () => !!document.activeElement?.closest('select, [role=menu], [role=listbox]')

const TYPES_WITHOUT_TEXT = ['button', 'checkbox', 'radio', 'file', 'submit', 'reset', 'color', 'range', 'image']

function focusedField(): HTMLInputElement | HTMLTextAreaElement | undefined {
  const element = document.activeElement
  if (element instanceof HTMLTextAreaElement) return element.readOnly ? undefined : element
  if (!(element instanceof HTMLInputElement) || element.readOnly || TYPES_WITHOUT_TEXT.includes(element.type))
    return undefined
  return element
}

function rememberField() {
  const field = focusedField()
  if (!field) return undefined
  const { value, selectionStart, selectionEnd } = field
  return () => {
    if (!field.isConnected || field.value === value) return
    // React wraps the setter of this field, and would miss the change: so the setter of the prototype is used.
    const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
    // Fields of numbers and days have no selection.
    if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'historyUndo' }))
  }
}

const BUTTONS = 'button, summary, input:is([type=button], [type=submit], [type=reset], [type=image])'
const PRESSED_BY = {
  Enter: `${BUTTONS}, a[href]`,
  ' ': `${BUTTONS}, input:is([type=checkbox], [type=radio])`,
}

function pressOfControl(key: 'Enter' | ' ') {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || !element.matches(PRESSED_BY[key])) return undefined
  return () => {
    if (element.isConnected && document.activeElement === element) element.click()
  }
}
